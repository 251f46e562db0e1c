import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import type { TroubledOrdersDto } from '../inactivity/integration-attention.dto.js';
import type { WebhookSource } from '../shared/sources.js';
import type { OrderIssueKind, OrderIssueSchema } from './order-issue.entity.js';

type Tables = typeof OrderIssueSchema | typeof IntegrationWebhookSchema;

export interface RecordedIssue {
  /** Null if the zone is unknown or deleted. */
  readonly ownerId: number | null;
  readonly isStaffDue: boolean;
  readonly isOwnerDue: boolean;
}

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

/** A zone to which a paid order gives no access yet. */
export interface OpenOrder {
  /** The buyer's address in the newest delivery, which is deleted with the buyer's account. */
  readonly email: string | null;
  readonly language: Language | null;
  readonly zoneName: string | null;
  readonly isShutOut: boolean;
}

/** The columns of each recipient. */
const columnsByRecipient = {
  staff: { due: sql.ref('t.is_staff_due'), job: sql.ref('t.staff_job_id') },
  owner: { due: sql.ref('t.is_owner_due'), job: sql.ref('t.owner_job_id') },
};

const columnsOf = (ownerId: number | null) => columnsByRecipient[ownerId === null ? 'staff' : 'owner'];

const isOfOwnerSql = (ownerId: number | null): RawBuilder<unknown> =>
  ownerId === null
    ? sql`true`
    : sql`t.zone_id in (select id from zones where owner_id = ${ownerId} and deleted_at is null)`;

const isDueSql = (ownerId: number | null): RawBuilder<unknown> =>
  sql`(${columnsOf(ownerId).due} and t.resolved_at is null and ${isOfOwnerSql(ownerId)})`;

/** Matches the rows of the purchase that a delivery belongs to. */
const isOfPurchaseSql = (webhookId: number) => sql<boolean>`(t.source, t.purchase_id) = (
  select d.source, coalesce(d.order_id, d.subscription_id, 'delivery:' || d.id) from integration_webhooks d
  where d.id = ${webhookId})`;

/** True when an existing issue becomes a manual decision, which is notified again. */
const isNewDecisionSql = sql`(excluded.kind = 'decide' and t.kind <> 'decide')`;

/** The order or subscription of delivery `w`; the delivery itself if it contains neither. */
const purchaseIdSql = sql`coalesce(w.order_id, w.subscription_id, 'delivery:' || w.id)`;

/** Paid purchases without access, and who has been notified of them. */
@Injectable()
export class OrderIssueRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the existing zones in ascending order without duplicates, preceded by null if any was deleted, because a
   * row for that zone would violate the foreign key. Locks the existing ones against deletion until the commit.
   */
  async lockExistingZones(em: EntityManager, zoneIds: readonly (number | null)[]): Promise<(number | null)[]> {
    const ids = [...new Set(zoneIds)].filter((id) => id !== null).sort((a, b) => a - b);
    const { rows } = await sql<{ id: string }>`
      select id from zones where id = any(${ids}::bigint[]) order by id for key share`.execute(query<Tables>(em));
    const found = rows.map(({ id }) => Number(id));
    return found.length === new Set(zoneIds).size ? found : [null, ...found];
  }

  /** Opens an issue of a delivery's purchase for each of the locked zones, or updates it. */
  async upsertIssues(
    em: EntityManager,
    webhookId: number,
    kind: OrderIssueKind,
    zoneIds: readonly (number | null)[],
  ): Promise<RecordedIssue[]> {
    const { rows } = await sql<Omit<RecordedIssue, 'ownerId'> & { ownerId: string | null }>`
      with noted as (
        insert into order_troubles as t (source, purchase_id, zone_id, webhook_id, kind, since)
        select w.source, ${purchaseIdSql}, z.id, w.id, ${kind}, ${this.clock.now()}::timestamptz
        from integration_webhooks w, unnest(${[...zoneIds]}::bigint[]) with ordinality as z(id, place)
        where w.id = ${webhookId} order by z.place
        on conflict (source, purchase_id, coalesce(zone_id, 0)) do update set webhook_id = excluded.webhook_id,
          kind = excluded.kind, resolved_at = null,
          since = case when t.resolved_at is null then t.since else excluded.since end,
          is_staff_due = t.is_staff_due or t.resolved_at is not null or ${isNewDecisionSql},
          is_owner_due = t.is_owner_due or t.resolved_at is not null or ${isNewDecisionSql}
        returning zone_id, is_staff_due, is_owner_due
      )
      select z.owner_id as "ownerId", n.is_staff_due as "isStaffDue", n.is_owner_due as "isOwnerDue"
      from noted n left join zones z on z.id = n.zone_id and z.deleted_at is null`.execute(query<Tables>(em));
    return rows.map((row) => ({ ...row, ownerId: row.ownerId === null ? null : Number(row.ownerId) }));
  }

  /**
   * Resolves the issues of a delivery's purchase in all zones but those given.
   * @param keepsDecisions whether decisions stay open
   */
  async resolvePurchase(
    em: EntityManager,
    webhookId: number,
    {
      exceptZoneIds = [],
      keepsDecisions = false,
    }: {
      exceptZoneIds?: readonly (number | null)[];
      keepsDecisions?: boolean;
    },
  ): Promise<void> {
    await sql`
      update order_troubles set resolved_at = ${this.clock.now()}
      where id in (
        select t.id from order_troubles t join integration_webhooks w on w.id = ${webhookId}
        where t.source = w.source and t.purchase_id = ${purchaseIdSql} and t.resolved_at is null
          and ${keepsDecisions ? sql`t.kind <> 'decide'` : sql`true`}
          and coalesce(t.zone_id, 0) <> all (${exceptZoneIds.map((id) => id ?? 0)}::bigint[])
        order by t.id for update of t
      )`.execute(query<Tables>(em));
  }

  /** Resolves a decision after the entitlement was revoked. */
  async resolveDecision(em: EntityManager, entitlementId: number): Promise<void> {
    await sql`
      update order_troubles t set resolved_at = ${this.clock.now()} from entitlements e
      where e.id = ${entitlementId} and t.source = e.source and t.purchase_id = e.purchase_id
        and t.zone_id = e.zone_id and t.kind = 'decide' and t.resolved_at is null`.execute(query<Tables>(em));
  }

  /** Resolves the issues recorded for this delivery. */
  async resolveDelivery(em: EntityManager, webhookId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('order_troubles')
      .set({ resolved_at: this.clock.now() })
      .where('webhook_id', '=', webhookId)
      .where('resolved_at', 'is', null)
      .execute();
  }

  /**
   * Keeps failed purchases of a zone that is deleted permanently, because they are still paid and give no access. Rows
   * of the zone are deleted with it, so they become rows of an unknown zone, one per purchase.
   */
  async detachFailedFromZone(em: EntityManager, zoneId: number): Promise<void> {
    await sql`
      update order_troubles t set zone_id = null
      where t.zone_id = ${zoneId} and t.kind = 'failed' and t.resolved_at is null and not exists (
        select from order_troubles other
        where other.source = t.source and other.purchase_id = t.purchase_id and other.zone_id is null
      )`.execute(query<Tables>(em));
  }

  /**
   * Returns whether there are orders to report, or already claimed by this job.
   * @param ownerId whose zones they are for; null for the admins, who are notified of all
   */
  async hasDueOrders(em: EntityManager, ownerId: number | null, jobId: number): Promise<boolean> {
    const { rows } = await sql<{ is: boolean }>`
      select exists (
        select from order_troubles t where ${isDueSql(ownerId)} or ${columnsOf(ownerId).job} = ${jobId}) as is`.execute(
      query<Tables>(em),
    );
    return rows[0]!.is;
  }

  /** Claims the orders to report for a job. @param ownerId see `hasDueOrders` */
  async claimDueOrders(em: EntityManager, ownerId: number | null, jobId: number): Promise<void> {
    const set =
      ownerId === null
        ? sql`is_staff_due = false, staff_job_id = ${jobId}`
        : sql`is_owner_due = false, owner_job_id = ${jobId}`;
    await sql`
      with mine as (select t.id from order_troubles t where ${isDueSql(ownerId)} order by t.id for update)
      update order_troubles set ${set} where id in (select id from mine)`.execute(query<Tables>(em));
  }

  /** Returns the orders claimed by a job that are still open. @param ownerId see `hasDueOrders` */
  async listClaimedOrders(jobId: number, ownerId: number | null, limit: number): Promise<OrderNotice[]> {
    const { rows } = await sql<OrderNotice>`
      select t.source, t.purchase_id as "purchaseId", t.kind, z.name as "zoneName", w.error_code as "errorCode",
        w.error_field as "errorField", count(*) over ()::int as total
      from order_troubles t left join zones z on z.id = t.zone_id
      left join integration_webhooks w on w.id = t.webhook_id
      where ${columnsOf(ownerId).job} = ${jobId} and t.resolved_at is null and ${isOfOwnerSql(ownerId)}
      order by t.id limit ${limit}`.execute(query<Tables>(this.em));
    return rows;
  }

  /**
   * Claims the notification of a buyer for a job.
   * @returns false if another job has notified the buyer, or nothing is open
   */
  async claimBuyerNotice(em: EntityManager, webhookId: number, jobId: number): Promise<boolean> {
    const { rows } = await sql<{ jobId: string | null; isOpen: boolean }>`
      select t.buyer_job_id as "jobId", t.resolved_at is null as "isOpen" from order_troubles t
      where ${isOfPurchaseSql(webhookId)} order by t.id for update`.execute(query<Tables>(em));
    const isNotified = rows.some((row) => row.jobId !== null && Number(row.jobId) !== jobId);
    if (isNotified || !rows.some(({ isOpen }) => isOpen)) return false;
    await sql`update order_troubles t set buyer_job_id = ${jobId} where ${isOfPurchaseSql(webhookId)}`.execute(
      query<Tables>(em),
    );
    return true;
  }

  /** Returns the zones of a delivery's purchase without access. */
  async listOpenOrders(webhookId: number): Promise<OpenOrder[]> {
    const { rows } = await sql<OpenOrder>`
      select w.customer_email as email, coalesce(u.language, o.language) as language, z.name as "zoneName",
        u.deactivated_at is not null as "isShutOut"
      from order_troubles t
      join integration_webhooks w on w.id = ${webhookId}
      left join users u on u.email = w.customer_email
      left join zones z on z.id = t.zone_id and z.deleted_at is null
      left join users o on o.id = z.owner_id
      where ${isOfPurchaseSql(webhookId)} and t.resolved_at is null order by z.name, t.id limit 10`.execute(
      query<Tables>(this.em),
    );
    return rows;
  }

  /** Counts the open orders by sender and kind, without those that wait for a decision. */
  async countOpenOrders(): Promise<TroubledOrdersDto[]> {
    const { rows } = await sql<TroubledOrdersDto>`
      select source, kind, count(distinct purchase_id)::int as count, min(since) as since from order_troubles
      where resolved_at is null and kind <> 'decide' group by source, kind order by source, kind`.execute(
      query<Tables>(this.em),
    );
    return rows;
  }
}
