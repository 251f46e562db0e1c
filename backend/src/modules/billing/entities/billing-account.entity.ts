import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import type { BillingInterval } from '../../plans/plan.policy.js';
import { User } from '../../auth/entities/user.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

/**
 * What billing keeps of a person beside the columns of `users`: the subscription as Stripe last told it, and what
 * keeps parallel work in order.
 */
export const BillingAccountSchema = defineEntity({
  name: 'BillingAccount',
  tableName: 'billing_accounts',
  indexes: [{ name: 'billing_accounts_several_index', properties: ['userId'], where: 'live > 1' }],
  properties: {
    userId: () => belongsTo(User, 'billing_accounts', 'user_id').primary(),
    /** How many customers of this person have ended at Stripe; part of the key by which one is made only once. */
    customersMade: p.integer().default(0),
    /** Numbers the questions to Stripe in the order in which they were asked. */
    asked: p.bigint('number').default(0),
    /** The question whose answer is stored; answers to earlier ones are dropped. */
    written: p.bigint('number').default(0),
    /** One window at a time opens a checkout: until then, and by whom. */
    checkoutUntil: p.datetime().nullable(),
    checkoutToken: p.string().length(64).nullable(),
    /** When they were last sent to a checkout: until its subscription is known here, Stripe is asked for it. */
    checkoutSentAt: p.datetime().nullable(),
    /** When Stripe was last asked for that. */
    checkoutAskedAt: p.datetime().nullable(),
    interval: p.string().$type<BillingInterval>().length(10).nullable(),
    cancelAtPeriodEnd: p.boolean().default(false),
    currentPeriodEnd: p.datetime().nullable(),
    /** What a period costs, in the smallest unit of the currency. */
    amount: p.bigint('number').nullable(),
    currency: p.string().length(3).nullable(),
    /** How many subscriptions live at once; more than one is a fault that administrators are shown. */
    live: p.integer().default(0),
    /** A letter said that a payment failed, and none yet that it came after all. */
    failureTold: p.boolean().default(false),
    /** Since when a payment is owed. */
    pastDueSince: p.datetime().nullable(),
    /** Whether collecting payments is paused, as for deactivated accounts. */
    paused: p.boolean().default(false),
  },
});
export class BillingAccount extends BillingAccountSchema.class {}
BillingAccountSchema.setClass(BillingAccount);

/** What became of an event: its customer's subscription is read anew, or there was nothing to do and why. */
export const eventOutcomes = freezeList(['taken', 'unknown-type', 'unknown-customer']);
export type EventOutcome = (typeof eventOutcomes)[number];

/** Events that Stripe delivered, each once; ids and types only. */
export const StripeEventSchema = defineEntity({
  name: 'StripeEvent',
  tableName: 'stripe_events',
  indexes: [
    { name: 'stripe_events_received_at_index', properties: ['receivedAt'] },
    { name: 'stripe_events_customer_id_index', properties: ['customerId'] },
  ],
  properties: {
    id: p.string().length(255).primary(),
    type: p.string().length(100),
    customerId: p.string().length(255).nullable(),
    outcome: p.string().$type<EventOutcome>().length(20),
    receivedAt: p.datetime(),
  },
});
export class StripeEvent extends StripeEventSchema.class {}
StripeEventSchema.setClass(StripeEvent);
