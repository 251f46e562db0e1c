import { defineJob } from '../../platform/jobs/job-definition.js';

/** Notes which temporary links have come to their end; they refuse from that instant on without it. */
export const markExpiredLinks = defineJob<Record<string, never>>('links.mark-expired', {
  queue: 'maintenance',
  cron: '* * * * *',
});
