import { defineJob } from '../../platform/jobs/job-definition.js';

/** Forgets from which addresses, and with which programs, people tried links 90 days ago. */
export const forgetLinkVisitors = defineJob<Record<string, never>>('links.forget-visitors', {
  queue: 'maintenance',
  cron: '41 * * * *',
});
