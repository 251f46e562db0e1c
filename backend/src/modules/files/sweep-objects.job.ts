import { defineJob } from '../../platform/jobs/job-definition.js';

/** Compares what the storage holds with what the database names, once a week in the night from Saturday to Sunday. */
export const sweepObjects = defineJob('files.sweep-objects', { queue: 'maintenance', cron: '40 3 * * 0' });
