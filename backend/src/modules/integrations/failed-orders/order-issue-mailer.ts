import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { notifyBuyer, notifyOwnerOfOrders, notifyAdminsOfOrders } from '../integrations.jobs.js';
import { accessPreparedEmail } from './access-prepared.email.js';
import { ownerOrderIssuesEmail } from './owner-order-issues.email.js';
import { adminOrderIssuesEmail } from './admin-order-issues.email.js';
import { OrderIssueRepository } from './order-issue.repository.js';
import { OrderNoticeService } from './order-notice.service.js';

/** Emails about orders that have not given access to their zones. */
@Injectable()
export class OrderIssueMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly orderIssues: OrderIssueRepository,
    private readonly users: UserRepository,
    private readonly email: EmailService,
    private readonly config: AppConfig,
    private readonly orderNotices: OrderNoticeService,
  ) {}

  @OnJob(notifyBuyer)
  async notifyBuyer({ webhookId }: { webhookId: number }, { id }: JobContext): Promise<void> {
    if (!(await inTransaction(this.em, (em) => this.orderIssues.claimBuyerNotice(em, webhookId, id)))) return;
    const openOrders = await this.orderIssues.listOpenOrders(webhookId);
    const [first] = openOrders;
    if (!first?.email || first.isShutOut) return;
    await this.email.send(accessPreparedEmail, {
      to: first.email,
      language: first.language ?? 'en',
      values: { zoneNames: openOrders.flatMap(({ zoneName }) => zoneName ?? []) },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(notifyOwnerOfOrders)
  async notifyOwner({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const notice = { definition: notifyOwnerOfOrders, payload: { ownerId }, subjectId: ownerId, jobId: id };
    const orders = await this.orderNotices.claimDueOrders(notice, ownerId);
    const owner = await this.users.findActiveUser(ownerId);
    if (!owner || orders.length === 0) return;
    const more = orders[0]!.total - orders.length;
    await this.email.send(ownerOrderIssuesEmail, {
      to: owner.email,
      language: owner.language,
      values: { orders, more, url: `${this.config.appUrl}/dashboard` },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(notifyAdminsOfOrders)
  async notifyAdmins(_payload: Record<string, never>, { id }: JobContext): Promise<void> {
    const notice = { definition: notifyAdminsOfOrders, payload: {}, subjectId: 0, jobId: id };
    const orders = await this.orderNotices.claimDueOrders(notice, null);
    if (orders.length === 0) return;
    const more = orders[0]!.total - orders.length;
    const url = `${this.config.appUrl}/${orders[0]!.source}-admin/webhook-logs`;
    for (const admin of await this.users.findActiveSuperAdmins(this.em)) {
      await this.email.send(adminOrderIssuesEmail, {
        to: admin.email,
        language: admin.language,
        values: { orders, more, url },
        idempotencyKey: `job-${id}-${admin.id}`,
      });
    }
  }
}
