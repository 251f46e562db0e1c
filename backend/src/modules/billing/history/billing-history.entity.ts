import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

/** A change of the plan that a user subscribes to; `free` means no subscription. */
export const SubscriptionChangeSchema = defineEntity({
  name: 'SubscriptionChange',
  tableName: 'subscription_changes',
  indexes: [
    { name: 'subscription_changes_user_id_index', properties: ['userId'] },
    { name: 'subscription_changes_changed_at_index', properties: ['changedAt', 'planBefore', 'planAfter'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** null once the account is deleted; the statistics stay. */
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('user_id')
        .deleteRule('set null')
        .foreignKeyName('subscription_changes_user_id_foreign'),
    planBefore: p.string().length(50),
    planAfter: p.string().length(50),
    changedAt: p.datetime(),
  },
});
export class SubscriptionChange extends SubscriptionChangeSchema.class {}
SubscriptionChangeSchema.setClass(SubscriptionChange);

/** A paid invoice of a Stripe subscription. */
export const PaidInvoiceSchema = defineEntity({
  name: 'PaidInvoice',
  tableName: 'paid_invoices',
  indexes: [
    { name: 'paid_invoices_user_id_index', properties: ['userId'] },
    { name: 'paid_invoices_paid_at_index', properties: ['paidAt', 'currency', 'amount'] },
  ],
  properties: {
    /** The id at Stripe. */
    id: p.string().length(255).primary(),
    /** null once the account is deleted; the statistics stay. */
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('user_id')
        .deleteRule('set null')
        .foreignKeyName('paid_invoices_user_id_foreign'),
    /** In the smallest unit of the currency. */
    amount: p.bigint('number'),
    /** ISO 4217, in capitals. */
    currency: p.string().length(3),
    paidAt: p.datetime(),
  },
});
export class PaidInvoice extends PaidInvoiceSchema.class {}
PaidInvoiceSchema.setClass(PaidInvoice);
