import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes sessions, codes, tokens, counted changes of user names and rate-limit windows that have ended. */
export const purgeExpiredSecrets = defineJob<Record<string, never>>('auth.purge-expired-secrets', {
  queue: 'maintenance',
  cron: '17 * * * *',
});
