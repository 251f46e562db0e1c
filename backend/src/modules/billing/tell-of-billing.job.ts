import { defineJob } from '../../platform/jobs/job-definition.js';

export type BillingEvent = 'payment-failed' | 'plan-ended';

/** Writes to somebody that a payment failed, or that the plan has ended. */
export const tellOfBilling = defineJob<{ userId: number; event: BillingEvent }>('billing.tell-of-billing', {
  queue: 'mail',
});
