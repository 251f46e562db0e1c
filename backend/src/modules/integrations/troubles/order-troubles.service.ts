import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { OrderTroubleSchema, type TroubleKind } from './order-trouble.entity.js';
import { tellBuyer, tellOwnerOfOrders, tellStaffOfOrders } from '../integrations.jobs.js';

type Tables = typeof OrderTroubleSchema | typeof IntegrationWebhookSchema;

/** What came of a delivery, as far as somebody has to be told. */
export interface DeliveryEnd {
  readonly webhookId: number;
  readonly kind: TroubleKind;
  /** The zones that did not open; null for one that is not known. */
  readonly zoneIds: readonly (number | null)[];
  /** Whether somebody has paid and waits for access. */
  readonly isPaid: boolean;
}

interface Noted {
  readonly ownerId: string | null;
  readonly isStaffDue: boolean;
  readonly isOwnerDue: boolean;
}

/** Remembers what was paid and did not open its zone, and has those told who can do something about it. */
@Injectable()
export class OrderTroubles {
  constructor(
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Notes which zones of a purchase are not open, in the caller's transaction; what was noted of its other zones is over.
   * What was noted before is told once.
   */
  async note(em: EntityManager, { webhookId, kind, zoneIds, isPaid }: DeliveryEnd): Promise<void> {
    await this.resolveOthers(em, webhookId, zoneIds);
    const zones = [...new Set(zoneIds)].sort((a, b) => (a ?? 0) - (b ?? 0));
    const { rows } = await sql<Noted>`
      with noted as (
        insert into order_troubles as t (source, purchase_id, zone_id, webhook_id, kind, since)
        select w.source, ${purchaseOf}, z.id, w.id, ${kind}, ${this.clock.now()}::timestamptz
        from integration_webhooks w, unnest(${zones}::bigint[]) with ordinality as z(id, place)
        where w.id = ${webhookId} order by z.place
        on conflict (source, purchase_id, coalesce(zone_id, 0)) do update set webhook_id = excluded.webhook_id,
          kind = excluded.kind, resolved_at = null,
          since = case when t.resolved_at is null then t.since else excluded.since end,
          is_staff_due = t.is_staff_due or t.resolved_at is not null,
          is_owner_due = t.is_owner_due or t.resolved_at is not null
        returning zone_id, is_staff_due, is_owner_due
      )
      select z.owner_id as "ownerId", n.is_staff_due as "isStaffDue", n.is_owner_due as "isOwnerDue"
      from noted n left join zones z on z.id = n.zone_id and z.deleted_at is null`.execute(query<Tables>(em));
    if (rows.some(({ isStaffDue }) => isStaffDue)) await this.jobs.enqueue(em, tellStaffOfOrders, {});
    const owners = new Set(rows.flatMap(({ ownerId, isOwnerDue }) => (ownerId && isOwnerDue ? Number(ownerId) : [])));
    await this.jobs.enqueueMany(
      em,
      tellOwnerOfOrders,
      [...owners].map((ownerId) => ({ ownerId })),
    );
    if (isPaid) await this.jobs.enqueue(em, tellBuyer, { webhookId });
  }

  /** What was noted of the purchase that a delivery is about is over, in the caller's transaction. */
  resolve(em: EntityManager, webhookId: number): Promise<void> {
    return this.resolveOthers(em, webhookId, []);
  }

  /** What a delivery itself had noted is over, in the caller's transaction. */
  async resolveDelivery(em: EntityManager, webhookId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('order_troubles')
      .set({ resolved_at: this.clock.now() })
      .where('webhook_id', '=', webhookId)
      .where('resolved_at', 'is', null)
      .execute();
  }

  private async resolveOthers(em: EntityManager, webhookId: number, zoneIds: readonly (number | null)[]) {
    await sql`
      update order_troubles set resolved_at = ${this.clock.now()}
      where id in (
        select t.id from order_troubles t join integration_webhooks w on w.id = ${webhookId}
        where t.source = w.source and t.purchase_id = ${purchaseOf} and t.resolved_at is null
          and coalesce(t.zone_id, 0) <> all (${zoneIds.map((id) => id ?? 0)}::bigint[])
        order by t.id for update of t
      )`.execute(query<Tables>(em));
  }
}

/** The order or subscription of delivery `w`; one that names neither stands for itself. */
const purchaseOf = sql`coalesce(w.order_id, w.subscription_id, 'delivery:' || w.id)`;
