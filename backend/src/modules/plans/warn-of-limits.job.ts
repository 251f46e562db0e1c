import { defineJob } from '../../platform/jobs/job-definition.js';

/** Finds the owners who have used most or all of a limit, hourly; each is written to once a month and level. */
export const warnOfLimits = defineJob('plans.warn-of-limits', { queue: 'maintenance', cron: '23 * * * *' });
