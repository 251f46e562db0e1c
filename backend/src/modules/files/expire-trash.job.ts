import { defineJob } from '../../platform/jobs/job-definition.js';

/** Marks what has lain in the trash for 30 days, to be removed for good. */
export const expireTrash = defineJob('files.expire-trash', { queue: 'maintenance', cron: '25 * * * *' });
