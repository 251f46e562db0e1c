import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

export type BillingEvent = 'plan-started' | 'plan-ends' | 'plan-ended' | 'payment-failed' | 'payment-recovered';

/** Writes to somebody what became of their plan or their payment. */
export const notifyBillingEvent = defineJob<{ userId: number; event: BillingEvent }>('billing.tell-of-billing', {
  queue: 'mail',
});

/** Tells Stripe the address that a customer has now: receipts go there. */
export const syncStripeEmail = defineJob<{ userId: number }>('billing.tell-address', { queue: 'default' });

/** Pauses the payments of a deactivated account, resumes those of one that is active again, ends a deleted one's. */
export const syncPaymentCollection = defineJob<{ userId: number }>('billing.align-collection', {
  queue: 'default',
  maxAttempts: 20,
});

/** Asks Stripe for every subscriber and repairs what differs, nightly; forgets old events. */
export const reconcileSubscriptions = defineJob('billing.reconcile-subscriptions', {
  queue: 'long',
  cron: '41 2 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Reads somebody's subscription from Stripe and writes what follows. */
export const refreshSubscription = defineJob<{ userId: number }>('billing.refresh-subscription', { queue: 'default' });
