import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import type { WebhookSource } from '../shared/sources.js';

/** Also `pending` while a customer waits because a zone is full. */
export type WebhookStatus = 'pending' | 'completed' | 'failed';

/** A delivery of a shop or payment provider, stored as received, with its result. */
export const IntegrationWebhookSchema = defineEntity({
  name: 'IntegrationWebhook',
  tableName: 'integration_webhooks',
  uniques: [{ name: 'integration_webhooks_source_delivery_id_unique', properties: ['source', 'deliveryId'] }],
  indexes: [
    { name: 'integration_webhooks_source_id_index', properties: ['source', 'id'] },
    { name: 'integration_webhooks_source_status_id_index', properties: ['source', 'status', 'id'] },
    { name: 'integration_webhooks_source_order_id_index', properties: ['source', 'orderId', 'id'] },
    { name: 'integration_webhooks_source_subscription_id_index', properties: ['source', 'subscriptionId', 'id'] },
    { name: 'integration_webhooks_source_processed_at_index', properties: ['source', 'processedAt', 'id'] },
    // The summary needs only this index.
    { name: 'integration_webhooks_figures_index', properties: ['source', 'status', 'membershipCreated'] },
    {
      // Used by operators to search customers; see `normaliseForSearchSql`.
      name: 'integration_webhooks_search_index',
      expression: `create index "integration_webhooks_search_index" on "integration_webhooks" using gin (search_fold(coalesce("customer_email", '') || ' ' || coalesce("customer_name", '')) gin_trgm_ops)`,
    },
    { name: 'integration_webhooks_customer_email_index', properties: ['customerEmail'] },
    { name: 'integration_webhooks_bodies_index', properties: ['createdAt'], where: 'webhook_data is not null' },
    { name: 'integration_webhooks_zone_id_index', properties: ['zoneId'] },
    { name: 'integration_webhooks_user_id_index', properties: ['userId'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    source: p.string().$type<WebhookSource>().length(20),
    /** The sender's id of the delivery or event, or a digest of the body; used to ignore duplicates. */
    deliveryId: p.string().length(255),
    event: p.string().length(80),
    status: p.string().$type<WebhookStatus>().length(10).default('pending'),
    /** A key of `outcomeMessages`; translated when displayed. */
    errorCode: p.string().length(40).nullable(),
    /** The field of the body that the code refers to, with the sender's name for it. */
    errorField: p.string().length(60).nullable(),
    orderId: p.string().length(64).nullable(),
    productId: p.string().length(255).nullable(),
    productName: p.string().length(255).nullable(),
    subscriptionId: p.string().length(255).nullable(),
    stripeEventId: p.string().length(255).nullable(),
    customerId: p.string().length(255).nullable(),
    priceId: p.string().length(255).nullable(),
    customerEmail: p.string().length(255).nullable(),
    customerName: p.string().length(255).nullable(),
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .nullable()
        .fieldName('zone_id')
        .deleteRule('set null')
        .foreignKeyName('integration_webhooks_zone_id_foreign'),
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('user_id')
        .deleteRule('set null')
        .foreignKeyName('integration_webhooks_user_id_foreign'),
    membershipCreated: p.boolean().default(false),
    emailSent: p.boolean().default(false),
    /** The signed body; deleted when the customer deletes the account. */
    webhookData: p.blob().nullable(),
    processedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class IntegrationWebhook extends IntegrationWebhookSchema.class {}
IntegrationWebhookSchema.setClass(IntegrationWebhook);

/** Number of deliveries per day (UTC) with an invalid signature; nothing else about them is stored. */
export const WebhookRejectionSchema = defineEntity({
  name: 'WebhookRejection',
  tableName: 'webhook_refusals',
  properties: {
    source: p.string().$type<WebhookSource>().length(20).primary(),
    day: p.date().primary(),
    count: p.integer().default(1),
  },
});
export class WebhookRejection extends WebhookRejectionSchema.class {}
WebhookRejectionSchema.setClass(WebhookRejection);
