import { defineJob } from '../../platform/jobs/job-definition.js';

/** Opens the mail quotas of a new month, and forgets addresses of mail events after their time. */
export const keepQuotas = defineJob<Record<string, never>>('campaigns.keep-quotas', {
  queue: 'maintenance',
  cron: '2 * * * *',
});
