import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import type { BillingInterval } from '../../plans/plan.policy.js';
import { User } from '../../auth/entities/user.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

/**
 * Billing data of a user in addition to the columns of `users`: the subscription as last read from Stripe, and what
 * serialises concurrent work.
 */
export const BillingAccountSchema = defineEntity({
  name: 'BillingAccount',
  tableName: 'billing_accounts',
  indexes: [{ name: 'billing_accounts_several_index', properties: ['userId'], where: 'live > 1' }],
  properties: {
    userId: () => belongsTo(User, 'billing_accounts', 'user_id').primary(),
    /** Number of this user's customers deleted at Stripe; part of the idempotency key for creating a customer. */
    customersMade: p.integer().default(0),
    /** Sequence number of the last request to Stripe. */
    asked: p.bigint('number').default(0),
    /** Sequence number of the request whose response is stored; responses to earlier requests are discarded. */
    written: p.bigint('number').default(0),
    /** The lock for opening a checkout: its expiry and its holder. */
    checkoutUntil: p.datetime().nullable(),
    checkoutToken: p.string().length(64).nullable(),
    /** When the user was last sent to a checkout. Until its subscription is stored, Stripe is polled. */
    checkoutSentAt: p.datetime().nullable(),
    /** When Stripe was last polled for that. */
    checkoutAskedAt: p.datetime().nullable(),
    interval: p.string().$type<BillingInterval>().length(10).nullable(),
    cancelAtPeriodEnd: p.boolean().default(false),
    currentPeriodEnd: p.datetime().nullable(),
    /** The price per period, in the smallest unit of the currency. */
    amount: p.bigint('number').nullable(),
    currency: p.string().length(3).nullable(),
    /** Number of live subscriptions; more than one is an error shown to administrators. */
    live: p.integer().default(0),
    /** The user was emailed that a payment failed, and not yet that it was made. */
    failureTold: p.boolean().default(false),
    /** Since when a payment is overdue. */
    pastDueSince: p.datetime().nullable(),
    /** Whether payment collection is paused, as for deactivated accounts. */
    paused: p.boolean().default(false),
  },
});
export class BillingAccount extends BillingAccountSchema.class {}
BillingAccountSchema.setClass(BillingAccount);

/** The outcome of an event: the customer's subscription is refreshed, or why nothing was done. */
export const eventOutcomes = freezeList(['taken', 'unknown-type', 'unknown-customer']);
export type EventOutcome = (typeof eventOutcomes)[number];

/** Events delivered by Stripe, each once; only ids and types are stored. */
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
