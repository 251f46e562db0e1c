import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { OrderIssueSchema, type OrderIssueKind } from './order-issue.entity.js';
import { notifyBuyer, notifyOwnerOfOrders, notifyAdminsOfOrders } from '../integrations.jobs.js';

type Tables = typeof OrderIssueSchema | typeof IntegrationWebhookSchema;

/** The result of a delivery, as far as notifications depend on it. */
export interface DeliveryIssue {
  readonly webhookId: number;
  readonly kind: OrderIssueKind;
  /** Zones without access; null for an unknown one. */
  readonly zoneIds: readonly (number | null)[];
  /** Whether a customer has paid and waits for access. */
  readonly isPaid: boolean;
}

interface RecordedIssue {
  readonly ownerId: string | null;
  readonly isStaffDue: boolean;
  readonly isOwnerDue: boolean;
}

/** Records paid purchases without access, and notifies those who can act on them. */
@Injectable()
export class OrderIssueService {
  constructor(
    private readonly clock: Clock,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Records which zones of a purchase have given no access, in the caller's transaction, and resolves issues of its
   * other zones. Repeated issues are notified only once.
   */
  async recordIssues(em: EntityManager, { webhookId, kind, zoneIds: named, isPaid }: DeliveryIssue): Promise<void> {
    const zones = await this.lockExistingZones(em, named);
    await this.resolveOthers(em, webhookId, zones);
    const { rows } = await sql<RecordedIssue>`
      with noted as (
        insert into order_troubles as t (source, purchase_id, zone_id, webhook_id, kind, since)
        select w.source, ${purchaseIdSql}, z.id, w.id, ${kind}, ${this.clock.now()}::timestamptz
        from integration_webhooks w, unnest(${zones}::bigint[]) with ordinality as z(id, place)
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
    if (rows.some(({ isStaffDue }) => isStaffDue)) await this.jobs.enqueue(em, notifyAdminsOfOrders, {});
    const owners = new Set(rows.flatMap(({ ownerId, isOwnerDue }) => (ownerId && isOwnerDue ? Number(ownerId) : [])));
    await this.jobs.enqueueMany(
      em,
      notifyOwnerOfOrders,
      [...owners].map((ownerId) => ({ ownerId })),
    );
    if (isPaid) await this.jobs.enqueue(em, notifyBuyer, { webhookId });
  }

  /**
   * Returns the existing zones in ascending order without duplicates, preceded by null if any was deleted, because a
   * row for that zone would violate the foreign key. Locks the existing ones against deletion until the commit.
   */
  private async lockExistingZones(em: EntityManager, zoneIds: readonly (number | null)[]): Promise<(number | null)[]> {
    const ids = [...new Set(zoneIds)].filter((id) => id !== null).sort((a, b) => a - b);
    const { rows } = await sql<{ id: string }>`
      select id from zones where id = any(${ids}::bigint[]) order by id for key share`.execute(query<Tables>(em));
    const found = rows.map(({ id }) => Number(id));
    return found.length === new Set(zoneIds).size ? found : [null, ...found];
  }

  /**
   * Resolves the issues of a delivery's purchase, in the caller's transaction.
   * @param isOlder whether a newer event was processed before: then decisions stay open
   */
  resolvePurchase(em: EntityManager, webhookId: number, { isOlder }: { isOlder: boolean }): Promise<void> {
    return this.resolveOthers(em, webhookId, [], isOlder ? sql`t.kind <> 'decide'` : sql`true`);
  }

  /** Resolves a decision after the entitlement was revoked, in the caller's transaction. */
  async resolveDecision(em: EntityManager, entitlementId: number): Promise<void> {
    await sql`
      update order_troubles t set resolved_at = ${this.clock.now()} from entitlements e
      where e.id = ${entitlementId} and t.source = e.source and t.purchase_id = e.purchase_id
        and t.zone_id = e.zone_id and t.kind = 'decide' and t.resolved_at is null`.execute(query<Tables>(em));
  }

  /** Resolves the issues recorded for this delivery, in the caller's transaction. */
  async resolveDelivery(em: EntityManager, webhookId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('order_troubles')
      .set({ resolved_at: this.clock.now() })
      .where('webhook_id', '=', webhookId)
      .where('resolved_at', 'is', null)
      .execute();
  }

  /**
   * Keeps failed purchases when their zone is permanently deleted, because they are still paid and give no access. Rows
   * of the zone are deleted with it, so they become rows of an unknown zone, one per purchase.
   */
  @OnEvent('zone.purging')
  async detachFailedFromZone(em: EntityManager, { zoneId }: { zoneId: number }): Promise<void> {
    await sql`
      update order_troubles t set zone_id = null
      where t.zone_id = ${zoneId} and t.kind = 'failed' and t.resolved_at is null and not exists (
        select from order_troubles other
        where other.source = t.source and other.purchase_id = t.purchase_id and other.zone_id is null
      )`.execute(query<Tables>(em));
  }

  private async resolveOthers(
    em: EntityManager,
    webhookId: number,
    zoneIds: readonly (number | null)[],
    condition: RawBuilder<unknown> = sql`true`,
  ): Promise<void> {
    await sql`
      update order_troubles set resolved_at = ${this.clock.now()}
      where id in (
        select t.id from order_troubles t join integration_webhooks w on w.id = ${webhookId}
        where t.source = w.source and t.purchase_id = ${purchaseIdSql} and t.resolved_at is null
          and ${condition} and coalesce(t.zone_id, 0) <> all (${zoneIds.map((id) => id ?? 0)}::bigint[])
        order by t.id for update of t
      )`.execute(query<Tables>(em));
  }
}

/** True when an existing issue becomes a manual decision, which is notified again. */
const isNewDecisionSql = sql`(excluded.kind = 'decide' and t.kind <> 'decide')`;

/** The order or subscription of delivery `w`; the delivery itself if it contains neither. */
const purchaseIdSql = sql`coalesce(w.order_id, w.subscription_id, 'delivery:' || w.id)`;
