import { defineJob } from '../../../platform/jobs/job-definition.js';

/** Gives back the places of invitations that nobody accepted in time. */
export const expireInvitations = defineJob<Record<string, never>>('zones.expire-invitations', {
  queue: 'maintenance',
  cron: '* * * * *',
});
