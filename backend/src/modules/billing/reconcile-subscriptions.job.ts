import { defineJob } from '../../platform/jobs/job-definition.js';

/** Asks Stripe for every subscriber and repairs what differs, nightly; forgets old events. */
export const reconcileSubscriptions = defineJob('billing.reconcile-subscriptions', {
  queue: 'maintenance',
  cron: '41 2 * * *',
});
