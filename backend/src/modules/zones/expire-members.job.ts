import { defineJob } from '../../platform/jobs/job-definition.js';

/** Frees the places of memberships that have expired, each minute. */
export const expireMembers = defineJob('zones.expire-members', { queue: 'maintenance', cron: '* * * * *' });
