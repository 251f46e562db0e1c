import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { SuperAdminService } from '../../auth/users/super-admin.service.js';
import { tellBuyer, tellOwnerOfOrders, tellStaffOfOrders } from '../integrations.jobs.js';
import { accessPreparedMail } from './access-prepared.email.js';
import { ownerOrdersMail } from './owner-orders.email.js';
import { staffOrdersMail } from './staff-orders.email.js';
import type { OrderTroubleSchema } from './order-trouble.entity.js';
import { OrderNotices } from './order-notices.service.js';

interface Open {
  readonly email: string | null;
  readonly language: Language | null;
  readonly zoneName: string | null;
  readonly isShutOut: boolean;
}

/** Mails about orders that did not open their zones. */
@Injectable()
export class OrderMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly mail: MailService,
    private readonly config: AppConfig,
    private readonly untold: OrderNotices,
    private readonly superAdmins: SuperAdminService,
  ) {}

  @OnJob(tellBuyer)
  async tellBuyer({ webhookId }: { webhookId: number }, { id }: JobContext): Promise<void> {
    if (!(await inTransaction(this.em, (em) => this.claim(em, webhookId, id)))) return;
    const open = await this.open(webhookId);
    const [first] = open;
    if (!first?.email || first.isShutOut) return;
    await this.mail.send(accessPreparedMail, {
      to: first.email,
      language: first.language ?? 'en',
      values: { zoneNames: open.flatMap(({ zoneName }) => zoneName ?? []) },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(tellOwnerOfOrders)
  async tellOwner({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const notice = { definition: tellOwnerOfOrders, payload: { ownerId }, subjectId: ownerId, jobId: id };
    const orders = await this.untold.claimDue(notice, ownerId);
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null });
    if (!owner || orders.length === 0) return;
    const more = orders[0]!.total - orders.length;
    await this.mail.send(ownerOrdersMail, {
      to: owner.email,
      language: owner.language,
      values: { orders, more, url: `${this.config.appUrl}/dashboard` },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(tellStaffOfOrders)
  async tellStaff(_payload: Record<string, never>, { id }: JobContext): Promise<void> {
    const notice = { definition: tellStaffOfOrders, payload: {}, subjectId: 0, jobId: id };
    const orders = await this.untold.claimDue(notice, null);
    if (orders.length === 0) return;
    const more = orders[0]!.total - orders.length;
    const url = `${this.config.appUrl}/${orders[0]!.source}-admin/webhook-logs`;
    for (const admin of await this.superAdmins.active(this.em)) {
      await this.mail.send(staffOrdersMail, {
        to: admin.email,
        language: admin.language,
        values: { orders, more, url },
        idempotencyKey: `job-${id}-${admin.id}`,
      });
    }
  }

  /** Takes the purchase for this job, unless another has told its buyer. */
  private async claim(em: EntityManager, webhookId: number, jobId: number): Promise<boolean> {
    const { rows } = await sql<{ jobId: string | null; isOpen: boolean }>`
      select t.buyer_job_id as "jobId", t.resolved_at is null as "isOpen" from order_troubles t
      where ${ofPurchase(webhookId)} order by t.id for update`.execute(query<typeof OrderTroubleSchema>(em));
    const isTold = rows.some((row) => row.jobId !== null && Number(row.jobId) !== jobId);
    if (isTold || !rows.some(({ isOpen }) => isOpen)) return false;
    await sql`update order_troubles t set buyer_job_id = ${jobId} where ${ofPurchase(webhookId)}`.execute(
      query<typeof OrderTroubleSchema>(em),
    );
    return true;
  }

  /** What is not open of the purchase, with the address of its newest delivery; it is gone with the buyer's account. */
  private async open(webhookId: number): Promise<Open[]> {
    const { rows } = await sql<Open>`
      select w.customer_email as email, coalesce(u.language, o.language) as language, z.name as "zoneName",
        u.deactivated_at is not null as "isShutOut"
      from order_troubles t
      join integration_webhooks w on w.id = ${webhookId}
      left join users u on u.email = w.customer_email
      left join zones z on z.id = t.zone_id and z.deleted_at is null
      left join users o on o.id = z.owner_id
      where ${ofPurchase(webhookId)} and t.resolved_at is null order by z.name, t.id limit 10`.execute(
      query<typeof OrderTroubleSchema>(this.em),
    );
    return rows;
  }
}

/** The rows of the purchase that a delivery tells of. */
const ofPurchase = (webhookId: number) => sql<boolean>`(t.source, t.purchase_id) = (
  select d.source, coalesce(d.order_id, d.subscription_id, 'delivery:' || d.id) from integration_webhooks d
  where d.id = ${webhookId})`;
