import { defineEntity, p } from '@mikro-orm/core';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { IntegrationWebhook } from '../entities/integration-webhook.entity.js';
import type { WebhookSource } from '../shared/sources.js';

export const orderIssueKinds = freezeList(['failed', 'waiting', 'decide']);
/**
 * `waiting`: the owner's plan has no room. `decide`: access is granted, and a person has to decide whether it stays.
 */
export type OrderIssueKind = (typeof orderIssueKinds)[number];

/**
 * A paid purchase that has not given access to its zone, until it does, or that may have to be revoked. Admins, the
 * zone's owner and the buyer are notified of it. There is one row per purchase and zone, however many deliveries report
 * it. Resolved rows are kept, so that the buyer is notified only once.
 */
export const OrderIssueSchema = defineEntity({
  name: 'OrderIssue',
  tableName: 'order_troubles',
  indexes: [
    {
      name: 'order_troubles_purchase_unique',
      expression:
        'create unique index "order_troubles_purchase_unique" on "order_troubles" ("source", "purchase_id", (coalesce("zone_id", 0)))',
    },
    { name: 'order_troubles_zone_id_index', properties: ['zoneId'] },
    { name: 'order_troubles_webhook_id_index', properties: ['webhookId'] },
    { name: 'order_troubles_staff_job_id_index', properties: ['staffJobId'] },
    { name: 'order_troubles_owner_job_id_index', properties: ['ownerJobId'] },
    { name: 'order_troubles_open_index', properties: ['since'], where: 'resolved_at is null' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    source: p.string().$type<WebhookSource>().length(20),
    /** The order or subscription, or `delivery:` and the id of a delivery that contains neither. */
    purchaseId: p.string().length(255),
    /** Null when the zone is unknown. */
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .nullable()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('order_troubles_zone_id_foreign'),
    /** The newest delivery that reported it. */
    webhookId: () =>
      p
        .manyToOne(IntegrationWebhook)
        .mapToPk()
        .nullable()
        .fieldName('webhook_id')
        .deleteRule('set null')
        .foreignKeyName('order_troubles_webhook_id_foreign'),
    kind: p.string().$type<OrderIssueKind>().length(10),
    since: p.datetime(),
    resolvedAt: p.datetime().nullable(),
    /** Whether admins still have to be notified, and the job that does so; its retries report the same rows. */
    isStaffDue: p.boolean().default(true),
    staffJobId: p.bigint('number').nullable(),
    isOwnerDue: p.boolean().default(true),
    ownerJobId: p.bigint('number').nullable(),
    /** The job that has notified, or is notifying, the buyer; null before. */
    buyerJobId: p.bigint('number').nullable(),
  },
});
export class OrderIssue extends OrderIssueSchema.class {}
OrderIssueSchema.setClass(OrderIssue);
