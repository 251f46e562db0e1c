import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

export type BillingEvent = 'plan-started' | 'plan-ends' | 'plan-ended' | 'payment-failed' | 'payment-recovered';

/** Emails a user about a change of their plan or payment. */
export const notifyBillingEvent = defineJob<{ userId: number; event: BillingEvent }>('billing.notify-billing-event', {
  queue: 'mail',
});

/** Sends a customer's current address to Stripe, which emails the receipts to it. */
export const syncStripeEmail = defineJob<{ userId: number }>('billing.sync-stripe-email', { queue: 'default' });

/** Pauses payments of a deactivated account, resumes them after reactivation, and ends those of a deleted one. */
export const syncPaymentCollection = defineJob<{ userId: number }>('billing.sync-payment-collection', {
  queue: 'default',
  maxAttempts: 20,
});

/** Compares every customer with Stripe nightly and repairs differences; also deletes old events. */
export const reconcileSubscriptions = defineJob('billing.reconcile-subscriptions', {
  queue: 'long',
  cron: '41 2 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Reads a user's subscription from Stripe and applies it. */
export const refreshSubscription = defineJob<{ userId: number }>('billing.refresh-subscription', { queue: 'default' });
