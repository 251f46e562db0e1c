import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import type { WebhookSource } from '../shared/sources.js';
import { IntegrationWebhook } from './integration-webhook.entity.js';

/** `waiting`: paid, but the owner's plan has no place. */
export type EntitlementState = 'granted' | 'waiting' | 'revoked';

/** What one line of an order, or one subscription, opens for one person. */
export const EntitlementSchema = defineEntity({
  name: 'Entitlement',
  tableName: 'entitlements',
  uniques: [{ name: 'entitlements_source_external_id_zone_id_unique', properties: ['source', 'externalId', 'zoneId'] }],
  indexes: [
    { name: 'entitlements_zone_id_user_id_index', properties: ['zoneId', 'userId'] },
    { name: 'entitlements_user_id_index', properties: ['userId'] },
    { name: 'entitlements_webhook_id_index', properties: ['webhookId'] },
    { name: 'entitlements_source_purchase_id_index', properties: ['source', 'purchaseId'] },
    { name: 'entitlements_notice_due_index', properties: ['userId'], where: `"is_notice_due"` },
    { name: 'entitlements_waiting_index', properties: ['id'], where: `"state" = 'waiting'` },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    source: p.string().$type<WebhookSource>().length(20),
    /** The order or the subscription. */
    purchaseId: p.string().length(255),
    /** `order:line` of a shop, or the id of a subscription. */
    externalId: p.string().length(255),
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('entitlements_zone_id_foreign'),
    /** null while only its end is known (the news came in the wrong order), and when the account is deleted. */
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('user_id')
        .deleteRule('set null')
        .foreignKeyName('entitlements_user_id_foreign'),
    state: p.string().$type<EntitlementState>().length(10),
    /** By hand, or because the account was deleted: it is not given again until the sender has ended it. */
    isTakenBack: p.boolean().default(false),
    /** The customer came in by it and has not been told. */
    isNoticeDue: p.boolean().default(false),
    /** The job that is telling it: who bought several at once is told of all of them in one mail. */
    noticeJobId: p.bigint('number').nullable(),
    /** When, at the sender, what made this state happened: older news changes nothing. */
    occurredAt: p.datetime(),
    /** Which of two pieces of news of one second stands. */
    finality: p.smallint(),
    /** The delivery that made the state. */
    webhookId: () =>
      p
        .manyToOne(IntegrationWebhook)
        .mapToPk()
        .nullable()
        .fieldName('webhook_id')
        .deleteRule('set null')
        .foreignKeyName('entitlements_webhook_id_foreign'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class Entitlement extends EntitlementSchema.class {}
EntitlementSchema.setClass(Entitlement);

/**
 * When a purchase ended, kept also while it opened nothing: an order that is refunded before its product is mapped opens
 * nothing afterwards, when its older deliveries are replayed.
 */
export const PurchaseEndSchema = defineEntity({
  name: 'PurchaseEnd',
  tableName: 'purchase_ends',
  properties: {
    source: p.string().$type<WebhookSource>().length(20).primary(),
    purchaseId: p.string().length(255).primary(),
    /** At the sender. */
    occurredAt: p.datetime(),
    finality: p.smallint(),
  },
});
export class PurchaseEnd extends PurchaseEndSchema.class {}
PurchaseEndSchema.setClass(PurchaseEnd);

/** A temporary password that was mailed to a new customer, as its digest. */
export const PurchasePasswordSchema = defineEntity({
  name: 'PurchasePassword',
  tableName: 'purchase_passwords',
  indexes: [
    { name: 'purchase_passwords_email_index', properties: ['email'] },
    { name: 'purchase_passwords_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    digest: p.string().length(64).primary(),
    email: p.string().length(255),
    expiresAt: p.datetime(),
  },
});
export class PurchasePassword extends PurchasePasswordSchema.class {}
PurchasePasswordSchema.setClass(PurchasePassword);
