import { defineJob } from '../../platform/jobs/job-definition.js';

/** Removes the marks of viewings whose window has passed. */
export const forgetViewings = defineJob('activity.forget-viewings', { queue: 'maintenance', cron: '40 0 * * *' });
