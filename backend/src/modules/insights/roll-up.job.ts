import { defineJob } from '../../platform/jobs/job-definition.js';

/** Adds up what happened a day, by zone, by owner and for the whole installation. */
export const rollUp = defineJob('insights.roll-up', { queue: 'maintenance', cron: '* * * * *', maxAttempts: 1 });
