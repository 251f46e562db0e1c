import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Creates the monthly partitions of `activity` ahead of time. */
export const createActivityPartitions = defineJob('activity.create-activity-partitions', {
  queue: 'long',
  cron: '20 0 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Deletes viewings whose window has passed. */
export const purgeViewings = defineJob('activity.purge-viewings', {
  queue: 'long',
  cron: '40 0 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});
