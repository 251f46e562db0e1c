import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import type { WebhookSource } from '../shared/sources.js';
import { IntegrationWebhook } from './integration-webhook.entity.js';

/** `waiting`: paid, but the owner's plan has no room for another member. */
export type EntitlementState = 'granted' | 'waiting' | 'revoked';

/** The access of one person to a zone through one line of an order, or one subscription. */
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
    /** The order or subscription. */
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
    /**
     * Null while only the end of the purchase is known (events arrived out of order), and after the account is deleted.
     */
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('user_id')
        .deleteRule('set null')
        .foreignKeyName('entitlements_user_id_foreign'),
    state: p.string().$type<EntitlementState>().length(10),
    /** Revoked manually, or because the account was deleted: not granted again until the sender itself has ended it. */
    isTakenBack: p.boolean().default(false),
    /** The customer became a member through it and has not been notified yet. */
    isNoticeDue: p.boolean().default(false),
    /** The job that sends the notification; several purchases at once share one email. */
    noticeJobId: p.bigint('number').nullable(),
    /** When the event behind the current state happened at the sender; older events are ignored. */
    occurredAt: p.datetime(),
    /** Decides between two events with the same time. */
    finality: p.smallint(),
    /** The delivery that caused the current state. */
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
 * When a purchase ended, recorded even if it gave no access: if an order is refunded before its product is mapped,
 * replaying its older deliveries gives no access.
 */
export const PurchaseEndSchema = defineEntity({
  name: 'PurchaseEnd',
  tableName: 'purchase_ends',
  properties: {
    source: p.string().$type<WebhookSource>().length(20).primary(),
    purchaseId: p.string().length(255).primary(),
    /** Time at the sender. */
    occurredAt: p.datetime(),
    finality: p.smallint(),
  },
});
export class PurchaseEnd extends PurchaseEndSchema.class {}
PurchaseEndSchema.setClass(PurchaseEnd);

/** Digest of a temporary password that was emailed to a new customer. */
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
