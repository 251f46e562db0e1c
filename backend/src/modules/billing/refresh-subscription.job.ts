import { defineJob } from '../../platform/jobs/job-definition.js';

/** Reads somebody's subscription from Stripe and writes what follows. */
export const refreshSubscription = defineJob<{ userId: number }>('billing.refresh-subscription', { queue: 'default' });
