import { defineJob } from '../../../platform/jobs/job-definition.js';

/** Removes invitations that were used or ran out a while ago. */
export const purgeInvitations = defineJob<Record<string, never>>('zones.purge-invitations', {
  queue: 'maintenance',
  cron: '41 * * * *',
});
