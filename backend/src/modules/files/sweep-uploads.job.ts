import { defineJob } from '../../platform/jobs/job-definition.js';

/** Cleans up after uploads that broke off and could not clean up themselves. */
export const sweepUploads = defineJob('files.sweep-uploads', { queue: 'maintenance', cron: '*/10 * * * *' });
