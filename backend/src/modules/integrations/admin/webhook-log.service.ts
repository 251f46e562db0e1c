import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { searchPattern } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { normaliseForSearchSql } from '../../../platform/text/normalise-for-search.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type {
  EntitlementDto,
  WebhookDetailDto,
  WebhookLogDto,
  WebhookLogQueryDto,
  WebhookSummaryDto,
} from '../dto/webhook-log.dto.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { IntegrationWebhookSchema, WebhookRefusalSchema } from '../entities/integration-webhook.entity.js';
import { integrationErrors, toOutcomeMessage } from '../integrations.errors.js';
import { canSeeCustomers } from '../integration.policy.js';
import { maskBody } from '../shared/mask.js';
import type { WebhookSource } from '../shared/sources.js';

type Tables =
  | typeof IntegrationWebhookSchema
  | typeof ZoneSchema
  | typeof UserSchema
  | typeof EntitlementSchema
  | typeof WebhookRefusalSchema;

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

/** Period over which rejected deliveries are counted, in milliseconds. */
const REJECTION_WINDOW = 30 * DAY;

/** A row of the log with the columns of all senders; each controller selects its own. */
export type LoggedWebhook = Awaited<ReturnType<WebhookLogService['listWebhooks']>>['rows'][number];

/** The delivery log for operators. */
@Injectable()
export class WebhookLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Lists a sender's deliveries; `q` searches customers, orders and subscriptions. */
  listWebhooks(source: WebhookSource, list: WebhookLogQueryDto, language: Language) {
    const matching = this.filterWebhooks(source, list);
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
      filtered: matching,
      rows,
      toRow: (row) => ({ ...row, errorMessage: toOutcomeMessage(row.errorCode, row.errorField, language) }),
    });
  }

  /** Counts a sender's deliveries by result, with the time of the last one. */
  async getSummary(source: WebhookSource): Promise<WebhookSummaryDto> {
    const groups = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['status', 'membership_created as joined', sql<number>`count(*)`.as('count')])
      .where('source', '=', source)
      .groupBy(['status', 'membership_created'])
      .execute();
    const last = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select('created_at as lastReceivedAt')
      .where('source', '=', source)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const sum = (fits: (group: (typeof groups)[number]) => boolean) =>
      groups.filter(fits).reduce((total, { count }) => total + count, 0);
    return {
      total: sum(() => true),
      successful: sum(({ status }) => status === 'completed'),
      failed: sum(({ status }) => status === 'failed'),
      pending: sum(({ status }) => status === 'pending'),
      newMemberships: sum(({ joined }) => joined),
      refused: await this.countRejections(source),
      lastReceivedAt: last?.lastReceivedAt ?? null,
    };
  }

  /** @throws WEBHOOK_NOT_FOUND */
  async getDetail(source: WebhookSource, id: number, viewer: Viewer): Promise<WebhookDetailDto> {
    const isUnmasked = canSeeCustomers(viewer);
    const row = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['webhook_data', 'order_id', 'subscription_id'])
      .where('source', '=', source)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw integrationErrors.WEBHOOK_NOT_FOUND();
    const text = row.webhook_data && Buffer.from(row.webhook_data).toString('utf8');
    const body = text === null ? null : isUnmasked ? text : maskBody(text);
    const entitlements = await this.listEntitlements(source, row.order_id ?? row.subscription_id);
    return { id, body, masked: !isUnmasked, entitlements };
  }

  private async countRejections(source: WebhookSource): Promise<number> {
    const since = addMilliseconds(this.clock.now(), -REJECTION_WINDOW).toISOString().slice(0, 10);
    const { refused } = await query<Tables>(this.em)
      .selectFrom('webhook_refusals')
      .select(sql<number>`coalesce(sum("count"), 0)::bigint`.as('refused'))
      .where('source', '=', source)
      .where('day', '>=', since)
      .executeTakeFirstOrThrow();
    return refused;
  }

  private filterWebhooks(source: WebhookSource, { q: rawQuery, status }: WebhookLogQueryDto) {
    const q = rawQuery?.trim();
    let rows = query<Tables>(this.em).selectFrom('integration_webhooks as w').where('w.source', '=', source);
    if (status) rows = rows.where('w.status', '=', status);
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

  /** Returns the entitlements of a delivery's order or subscription. */
  private async listEntitlements(source: WebhookSource, purchaseId: string | null): Promise<EntitlementDto[]> {
    if (purchaseId === null) return [];
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .leftJoin('users as u', 'u.id', 'e.user_id')
      .select(['e.id as id', 'e.external_id as externalId', 'e.zone_id as zoneId', 'z.name as zoneName'])
      .select(['e.state as state', 'e.occurred_at as occurredAt'])
      .select(sql<boolean>`e.is_taken_back and u.id is not null and u.erased_at is null`.as('canBeGivenBack'))
      .where('e.source', '=', source)
      .where('e.purchase_id', '=', purchaseId)
      .where('z.deleted_at', 'is', null)
      .orderBy('e.id')
      .limit(1000)
      .execute();
  }
}

/** The same expression as in the search index. */
const customerSearchSql = (table: string) => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return normaliseForSearchSql(
    sql`coalesce(${column('customer_email')}, '') || ' ' || coalesce(${column('customer_name')}, '')`,
  );
};

/** Returns the fields that the logs of all senders have in common. */
export function toCommonFields(row: LoggedWebhook): WebhookLogDto {
  const { id, event, status, customerEmail, customerName, zoneId, zoneName, membershipCreated, emailSent } = row;
  const { errorMessage, errorCode, errorField, processedAt, createdAt } = row;
  const seen = { id, event, status, customerEmail, customerName, zoneId, zoneName, membershipCreated, emailSent };
  return { ...seen, errorMessage, errorCode, errorField, processedAt, createdAt };
}
