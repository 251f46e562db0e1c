import { defineEntity, p } from '@mikro-orm/core';
import type { Source } from '../sources.js';

/**
 * When a purchase ended, kept also while it opened nothing: an order that is refunded before its product is mapped opens
 * nothing afterwards, when its older deliveries are replayed.
 */
export const PurchaseEndSchema = defineEntity({
  name: 'PurchaseEnd',
  tableName: 'purchase_ends',
  properties: {
    source: p.string().$type<Source>().length(20).primary(),
    purchaseId: p.string().length(255).primary(),
    /** At the sender. */
    occurredAt: p.datetime(),
    finality: p.smallint(),
  },
});
export class PurchaseEnd extends PurchaseEndSchema.class {}
PurchaseEndSchema.setClass(PurchaseEnd);
