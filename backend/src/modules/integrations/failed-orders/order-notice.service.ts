import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import {
  NotificationThrottleService,
  type ThrottledNotification,
} from '../../../platform/notification-throttle/notification-throttle.service.js';
import type { OrderIssueSchema, OrderIssueKind } from './order-issue.entity.js';
import type { WebhookSource } from '../shared/sources.js';

/** Maximum orders listed in an email; only the number of the others is stated. */
const MAX_ORDERS_PER_EMAIL = 10;

/** An order without access, as shown in an email. */
export interface OrderNotice {
  readonly source: WebhookSource;
  readonly purchaseId: string;
  readonly kind: OrderIssueKind;
  readonly zoneName: string | null;
  readonly errorCode: string | null;
  readonly errorField: string | null;
  /** Total number of orders. */
  readonly total: number;
}

/** The columns of each recipient. */
const columnsByRecipient = {
  staff: { due: sql.ref('t.is_staff_due'), job: sql.ref('t.staff_job_id') },
  owner: { due: sql.ref('t.is_owner_due'), job: sql.ref('t.owner_job_id') },
};

/** Orders of which a recipient has not been notified. */
@Injectable()
export class OrderNoticeService {
  constructor(
    private readonly em: EntityManager,
    private readonly notificationThrottle: NotificationThrottleService,
  ) {}

  /**
   * Claims the orders to report in one job; a retry finds the same ones.
   * @param ownerId whose zones they are for; null for the admins, who are notified of all
   * @returns the first orders, or none when there is nothing to report now
   */
  async claimDueOrders<P extends object>(
    notice: ThrottledNotification<P>,
    ownerId: number | null,
  ): Promise<OrderNotice[]> {
    const isClaimed = await inTransaction(this.em, (em) => this.claimOrders(em, notice, ownerId));
    return isClaimed ? this.listClaimedOrders(notice.jobId, ownerId) : [];
  }

  private async claimOrders<P extends object>(
    em: EntityManager,
    notice: ThrottledNotification<P>,
    ownerId: number | null,
  ) {
    const { due, job } = ownerId === null ? columnsByRecipient.staff : columnsByRecipient.owner;
    const isDueSql = sql`(${due} and t.resolved_at is null and ${isOfOwnerSql(ownerId)})`;
    const { rows } = await sql<{ is: boolean }>`
      select exists (select from order_troubles t where ${isDueSql} or ${job} = ${notice.jobId}) as is`.execute(
      query<typeof OrderIssueSchema>(em),
    );
    if (!rows[0]!.is || !(await this.notificationThrottle.tryAcquire(em, notice))) return false;
    const set =
      ownerId === null
        ? sql`is_staff_due = false, staff_job_id = ${notice.jobId}`
        : sql`is_owner_due = false, owner_job_id = ${notice.jobId}`;
    await sql`
      with mine as (select t.id from order_troubles t where ${isDueSql} order by t.id for update)
      update order_troubles set ${set} where id in (select id from mine)`.execute(query<typeof OrderIssueSchema>(em));
    return true;
  }

  /** Only those that are still open; issues resolved in the meantime aren't reported. */
  private async listClaimedOrders(jobId: number, ownerId: number | null): Promise<OrderNotice[]> {
    const { job } = ownerId === null ? columnsByRecipient.staff : columnsByRecipient.owner;
    const { rows } = await sql<OrderNotice>`
      select t.source, t.purchase_id as "purchaseId", t.kind, z.name as "zoneName", w.error_code as "errorCode",
        w.error_field as "errorField", count(*) over ()::int as total
      from order_troubles t left join zones z on z.id = t.zone_id
      left join integration_webhooks w on w.id = t.webhook_id
      where ${job} = ${jobId} and t.resolved_at is null and ${isOfOwnerSql(ownerId)}
      order by t.id limit ${MAX_ORDERS_PER_EMAIL}`.execute(query<typeof OrderIssueSchema>(this.em));
    return rows;
  }
}

const isOfOwnerSql = (ownerId: number | null): RawBuilder<unknown> =>
  ownerId === null
    ? sql`true`
    : sql`t.zone_id in (select id from zones where owner_id = ${ownerId} and deleted_at is null)`;
