import { defineJob } from '../../platform/jobs/job-definition.js';

/** Lets in who has paid and found a zone full, where there is a place now: after an upgrade, or when others left. */
export const admitWaiting = defineJob<Record<string, never>>('integrations.admit-waiting', {
  queue: 'maintenance',
  cron: '*/5 * * * *',
});
