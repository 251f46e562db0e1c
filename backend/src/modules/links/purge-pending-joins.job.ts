import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes requests to join that nobody confirmed, and those that were confirmed a while ago. */
export const purgePendingJoins = defineJob<Record<string, never>>('links.purge-pending-joins', {
  queue: 'maintenance',
  cron: '27 * * * *',
});
