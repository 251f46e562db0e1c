import { defineJob } from './job-definition.js';

/** Forgets old ticks of clock jobs, daily. */
export const purgeClockRuns = defineJob('jobs.purge-clock-runs', { queue: 'maintenance', cron: '17 3 * * *' });
