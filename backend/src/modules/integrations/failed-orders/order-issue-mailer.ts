import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { notifyBuyer, notifyOwnerOfOrders, notifyAdminsOfOrders } from '../integrations.jobs.js';
import { accessPreparedEmail } from './access-prepared.email.js';
import { ownerOrdersEmail } from './owner-orders.email.js';
import { adminOrdersEmail } from './admin-orders.email.js';
import type { OrderIssueSchema } from './order-issue.entity.js';
import { OrderNoticeService } from './order-notice.service.js';

interface OpenOrder {
  readonly email: string | null;
  readonly language: Language | null;
  readonly zoneName: string | null;
  readonly isShutOut: boolean;
}

/** Emails about orders that have not given access to their zones. */
@Injectable()
export class OrderIssueMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly email: EmailService,
    private readonly config: AppConfig,
    private readonly orderNotices: OrderNoticeService,
    private readonly users: UserRepository,
  ) {}

  @OnJob(notifyBuyer)
  async notifyBuyer({ webhookId }: { webhookId: number }, { id }: JobContext): Promise<void> {
    if (!(await inTransaction(this.em, (em) => this.claimPurchase(em, webhookId, id)))) return;
    const openOrders = await this.listOpenOrders(webhookId);
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
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null });
    if (!owner || orders.length === 0) return;
    const more = orders[0]!.total - orders.length;
    await this.email.send(ownerOrdersEmail, {
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
      await this.email.send(adminOrdersEmail, {
        to: admin.email,
        language: admin.language,
        values: { orders, more, url },
        idempotencyKey: `job-${id}-${admin.id}`,
      });
    }
  }

  /** Claims the purchase for this job, unless another job has notified the buyer. */
  private async claimPurchase(em: EntityManager, webhookId: number, jobId: number): Promise<boolean> {
    const { rows } = await sql<{ jobId: string | null; isOpen: boolean }>`
      select t.buyer_job_id as "jobId", t.resolved_at is null as "isOpen" from order_troubles t
      where ${isOfPurchaseSql(webhookId)} order by t.id for update`.execute(query<typeof OrderIssueSchema>(em));
    const isNotified = rows.some((row) => row.jobId !== null && Number(row.jobId) !== jobId);
    if (isNotified || !rows.some(({ isOpen }) => isOpen)) return false;
    await sql`update order_troubles t set buyer_job_id = ${jobId} where ${isOfPurchaseSql(webhookId)}`.execute(
      query<typeof OrderIssueSchema>(em),
    );
    return true;
  }

  /**
   * Returns the zones of a purchase without access, with the email address in its newest delivery, which is deleted
   * with the buyer's account.
   */
  private async listOpenOrders(webhookId: number): Promise<OpenOrder[]> {
    const { rows } = await sql<OpenOrder>`
      select w.customer_email as email, coalesce(u.language, o.language) as language, z.name as "zoneName",
        u.deactivated_at is not null as "isShutOut"
      from order_troubles t
      join integration_webhooks w on w.id = ${webhookId}
      left join users u on u.email = w.customer_email
      left join zones z on z.id = t.zone_id and z.deleted_at is null
      left join users o on o.id = z.owner_id
      where ${isOfPurchaseSql(webhookId)} and t.resolved_at is null order by z.name, t.id limit 10`.execute(
      query<typeof OrderIssueSchema>(this.em),
    );
    return rows;
  }
}

/** Matches the rows of the purchase that a delivery belongs to. */
const isOfPurchaseSql = (webhookId: number) => sql<boolean>`(t.source, t.purchase_id) = (
  select d.source, coalesce(d.order_id, d.subscription_id, 'delivery:' || d.id) from integration_webhooks d
  where d.id = ${webhookId})`;
