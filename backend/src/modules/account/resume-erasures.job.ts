import { defineJob } from '../../platform/jobs/job-definition.js';

/** Takes up deletions of accounts whose job was given up, and forgets addresses that no farewell could reach. */
export const resumeErasures = defineJob('account.resume-erasures', { queue: 'maintenance', cron: '41 * * * *' });
