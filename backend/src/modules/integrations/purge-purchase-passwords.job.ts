import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes temporary passwords of customers that have expired. */
export const purgePurchasePasswords = defineJob<Record<string, never>>('integrations.purge-purchase-passwords', {
  queue: 'maintenance',
  cron: '31 4 * * *',
});
