import { defineJob } from '../../platform/jobs/job-definition.js';

/** Makes the monthly partitions of the record ahead of time. */
export const makeActivityPartitions = defineJob('activity.partitions', { queue: 'maintenance', cron: '20 0 * * *' });
