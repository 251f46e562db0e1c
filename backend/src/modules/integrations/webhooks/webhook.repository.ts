import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { searchPattern } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import type { EntitlementSchema } from '../entities/entitlement.entity.js';
import type {
  IntegrationWebhookSchema,
  WebhookRejectionSchema,
  WebhookStatus,
} from '../entities/integration-webhook.entity.js';
import type { WebhookLogQueryDto } from '../dto/webhook-log.dto.js';
import type { OutcomeCode } from '../integrations.errors.js';
import { toLogColumns } from '../shared/log-columns.js';
import type { LogFields } from '../shared/payload-fields.js';
import type { WebhookSource } from '../shared/sources.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';

type Tables =
  typeof IntegrationWebhookSchema | typeof WebhookRejectionSchema | typeof EntitlementSchema | typeof ZoneSchema;

/** A delivery as received. */
export interface ReceivedWebhook {
  readonly source: WebhookSource;
  /** Identifies the delivery; a second one with the same id is ignored. */
  readonly deliveryId: string;
  readonly event: string;
  readonly body: Buffer;
  readonly shown: LogFields;
}

/** What processing a delivery has resulted in. Omitted fields stay unchanged. */
export interface WebhookResult {
  readonly status: WebhookStatus;
  readonly code: OutcomeCode | null;
  readonly field: string | null;
  readonly hasCreatedMembership: boolean;
  readonly access: { readonly zoneId: number; readonly userId: number | null } | undefined;
  readonly shown: LogFields | undefined;
}

export interface WebhookCounts {
  readonly status: WebhookStatus;
  readonly hasCreatedMembership: boolean;
  readonly count: number;
}

const sorting = {
  fields: {
    id: 'w.id',
    createdAt: 'w.id',
    processedAt: 'w.processed_at',
    status: 'w.status',
    customerEmail: 'w.customer_email',
    event: 'w.event',
    orderId: 'w.order_id',
  },
  id: 'w.id',
};

/** Deliveries of shops and payment providers, and the number of those with an invalid signature. */
@Injectable()
export class WebhookRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns the new row's id; null if the delivery has been stored before */
  async insertWebhook(em: EntityManager, webhook: ReceivedWebhook): Promise<number | null> {
    const { source, deliveryId, event, body, shown } = webhook;
    const row = await query<Tables>(em)
      .insertInto('integration_webhooks')
      .values({
        source,
        delivery_id: deliveryId,
        event,
        ...toLogColumns(shown),
        webhook_data: body,
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['source', 'delivery_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** Counts a delivery with an invalid signature. */
  async incrementRejections(source: WebhookSource): Promise<void> {
    await query<Tables>(this.em)
      .insertInto('webhook_refusals')
      .values({ source, day: this.clock.now().toISOString().slice(0, 10), count: 1 })
      .onConflict((conflict) =>
        conflict.columns(['source', 'day']).doUpdateSet({ count: sql<number>`webhook_refusals.count + 1` }),
      )
      .execute();
  }

  /** Returns the number of deliveries with an invalid signature since the day (UTC) of `since`. */
  async countRejections(source: WebhookSource, since: Date): Promise<number> {
    const { refused } = await query<Tables>(this.em)
      .selectFrom('webhook_refusals')
      .select(sql<number>`coalesce(sum("count"), 0)::bigint`.as('refused'))
      .where('source', '=', source)
      .where('day', '>=', since.toISOString().slice(0, 10))
      .executeTakeFirstOrThrow();
    return refused;
  }

  /** Returns a delivery; its body is null if it was deleted. */
  async findWebhook(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['source', 'status', 'webhook_data as body', 'created_at as arrivedAt'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return null;
    return { ...row, body: row.body && Buffer.from(row.body), arrivedAt: new Date(row.arrivedAt) };
  }

  /** Records what processing a delivery has resulted in. */
  async updateResult(em: EntityManager, id: number, result: WebhookResult): Promise<void> {
    const { status, code, field, hasCreatedMembership, access, shown } = result;
    await query<Tables>(em)
      .updateTable('integration_webhooks')
      .set({
        status,
        error_code: code,
        error_field: field,
        processed_at: this.clock.now(),
        membership_created: sql<boolean>`membership_created or ${hasCreatedMembership}`,
        ...(access && { zone_id: access.zoneId, user_id: access.userId }),
        ...(shown && toLogColumns(shown)),
      })
      .where('id', '=', id)
      .execute();
  }

  /** Marks the delivery that created a membership. */
  async markMembershipCreated(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('integration_webhooks')
      .set({ membership_created: true })
      .where('id', '=', id)
      .execute();
  }

  /** Marks deliveries whose customers have been notified. */
  async markEmailSent(em: EntityManager, ids: readonly number[]): Promise<void> {
    await query<Tables>(em)
      .updateTable('integration_webhooks')
      .set({ email_sent: true })
      .where('id', 'in', ids)
      .execute();
  }

  /** Locks those of the deliveries that exist, in order. */
  lockWebhooks(em: EntityManager, source: WebhookSource, ids: readonly number[]) {
    return query<Tables>(em)
      .selectFrom('integration_webhooks')
      .select(['id', sql<boolean>`webhook_data is null`.as('isBodyDeleted')])
      .where('source', '=', source)
      .where('id', 'in', ids)
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  /** Resets locked deliveries to be processed again. */
  async resetWebhooks(em: EntityManager, ids: readonly number[]): Promise<void> {
    await query<Tables>(em)
      .updateTable('integration_webhooks')
      .set({ status: 'pending', error_code: null, error_field: null })
      .where('id', 'in', ids)
      .execute();
  }

  /** Resets deliveries that waited for room in a zone and for which no customer is waiting any more. */
  async resetFinishedWaiting(em: EntityManager): Promise<number[]> {
    const rows = await query<Tables>(em)
      .updateTable('integration_webhooks as w')
      .set({ error_code: null })
      .where('status', '=', 'pending')
      .where('error_code', '=', 'ZONE_FULL')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('entitlements as e')
              .innerJoin('zones as z', 'z.id', 'e.zone_id')
              .select('e.id')
              .whereRef('e.webhook_id', '=', 'w.id')
              .where('e.state', '=', 'waiting')
              .where('z.deleted_at', 'is', null),
          ),
        ),
      )
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Returns the times of the last deliveries of a sender, newest first. */
  async listRecent(source: WebhookSource, limit: number): Promise<{ id: number; at: Date }[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['id', 'created_at as at'])
      .where('source', '=', source)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id, at }) => ({ id, at: new Date(at) }));
  }

  /** Counts a sender's deliveries by result. */
  countByResult(source: WebhookSource): Promise<WebhookCounts[]> {
    return query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['status', 'membership_created as hasCreatedMembership', sql<number>`count(*)`.as('count')])
      .where('source', '=', source)
      .groupBy(['status', 'membership_created'])
      .execute();
  }

  /** Returns a delivery of a sender with its body and what it was about. */
  async findDetail(
    source: WebhookSource,
    id: number,
  ): Promise<{ body: string | null; purchaseId: string | null } | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['webhook_data', 'order_id', 'subscription_id'])
      .where('source', '=', source)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return null;
    const body = row.webhook_data && Buffer.from(row.webhook_data).toString('utf8');
    return { body, purchaseId: row.order_id ?? row.subscription_id };
  }

  /** Lists a sender's deliveries; `q` searches customers, orders and subscriptions. */
  findAdminPage(source: WebhookSource, list: WebhookLogQueryDto) {
    const rows = this.filterWebhooks(source, {})
      .leftJoin('zones as z', (join) => join.onRef('z.id', '=', 'w.zone_id').on('z.deleted_at', 'is', null))
      .select(['w.id as id', 'w.event as event', 'w.status as status', 'w.error_code as errorCode'])
      .select('w.error_field as errorField')
      .select(['w.order_id as orderId', 'w.product_id as productId', 'w.product_name as productName'])
      .select(['w.subscription_id as subscriptionId', 'w.delivery_id as deliveryId', 'w.customer_id as customerId'])
      .select(['w.price_id as priceId', 'w.customer_email as customerEmail', 'w.customer_name as customerName'])
      .select(['z.id as zoneId', 'z.name as zoneName', 'w.membership_created as membershipCreated'])
      .select(['w.email_sent as emailSent', 'w.processed_at as processedAt', 'w.created_at as createdAt']);
    return loadAdminPage(list, sorting, {
      filtered: this.filterWebhooks(source, list),
      rows,
      toRow: (row) => row,
    });
  }

  private filterWebhooks(source: WebhookSource, { q: rawQuery, status, id }: WebhookLogQueryDto) {
    const q = rawQuery?.trim();
    let rows = query<Tables>(this.em).selectFrom('integration_webhooks as w').where('w.source', '=', source);
    if (status) rows = rows.where('w.status', '=', status);
    if (id) rows = rows.where('w.id', '=', id);
    if (!q) return rows;
    // Each branch of the union uses its own index; an `or` over text and numbers would scan all deliveries.
    return rows.where(
      sql<boolean>`w.id in (
        select named.id from integration_webhooks named where ${customerSearchSql('named')} like ${searchPattern(q)}
        union all select numbered.id from integration_webhooks numbered
        where numbered.source = ${source} and numbered.order_id = ${q}
        union all select numbered.id from integration_webhooks numbered
        where numbered.source = ${source} and numbered.subscription_id = ${q})`,
    );
  }
}

/** The same expression as in the search index. */
const customerSearchSql = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return normaliseForSearchSql(
    sql`coalesce(${column('customer_email')}, '') || ' ' || coalesce(${column('customer_name')}, '')`,
  );
};
