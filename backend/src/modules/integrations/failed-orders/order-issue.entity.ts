import { defineEntity, p } from '@mikro-orm/core';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { IntegrationWebhook } from '../entities/integration-webhook.entity.js';
import type { WebhookSource } from '../shared/sources.js';

export const orderIssueKinds = freezeList(['failed', 'waiting', 'decide']);
/** `waiting`: the owner's plan has no place. `decide`: it is open, and a person has to decide whether it stays so. */
export type OrderIssueKind = (typeof orderIssueKinds)[number];

/**
 * Something paid that did not open its zone, until it does, or that may have to be taken back: what administrators, the zone's owner and the buyer are told
 * of. One row a purchase and zone, however many deliveries tell of it; it stays when it is over, so that the buyer is told
 * once.
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
    /** The order or the subscription, or `delivery:` and the id of one that names neither. */
    purchaseId: p.string().length(255),
    /** null when it is not known which zone it would open. */
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .nullable()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('order_troubles_zone_id_foreign'),
    /** The newest delivery that told of it. */
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
    /** The administrators have not been told; and the job that tells them: a second try tells of the same ones. */
    isStaffDue: p.boolean().default(true),
    staffJobId: p.bigint('number').nullable(),
    isOwnerDue: p.boolean().default(true),
    ownerJobId: p.bigint('number').nullable(),
    /** The job that has told the buyer, or is telling; null before. */
    buyerJobId: p.bigint('number').nullable(),
  },
});
export class OrderIssue extends OrderIssueSchema.class {}
OrderIssueSchema.setClass(OrderIssue);
