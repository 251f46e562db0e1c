import { defineEntity, p } from '@mikro-orm/core';
import type { BillingInterval } from '../../plans/plan.policy.js';
import { User } from '../../auth/entities/user.entity.js';

/**
 * What billing keeps of a person beside the columns of `users`: the subscription as Stripe last told it, and what
 * keeps parallel work in order.
 */
export const BillingAccountSchema = defineEntity({
  name: 'BillingAccount',
  tableName: 'billing_accounts',
  properties: {
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .primary()
        .fieldName('user_id')
        .deleteRule('cascade')
        .foreignKeyName('billing_accounts_user_id_foreign'),
    /** How many customers of this person have ended at Stripe; part of the key by which one is made only once. */
    customersMade: p.integer().default(0),
    /** Numbers the questions to Stripe in the order in which they were asked. */
    asked: p.bigint('number').default(0),
    /** The question whose answer is stored; answers to earlier ones are dropped. */
    written: p.bigint('number').default(0),
    /** One window at a time opens a checkout: until then, and by whom. */
    checkoutUntil: p.datetime().nullable(),
    checkoutToken: p.string().length(64).nullable(),
    interval: p.string().$type<BillingInterval>().length(10).nullable(),
    cancelAtPeriodEnd: p.boolean().default(false),
    currentPeriodEnd: p.datetime().nullable(),
    /** Since when a payment is owed. */
    pastDueSince: p.datetime().nullable(),
    /** Whether collecting payments is paused, as for deactivated accounts. */
    paused: p.boolean().default(false),
  },
});
export class BillingAccount extends BillingAccountSchema.class {}
BillingAccountSchema.setClass(BillingAccount);
