import { defineJob, LONG_STATEMENTS } from '../../platform/jobs/job-definition.js';

/** Makes the monthly partitions of the record ahead of time. */
export const makeActivityPartitions = defineJob('activity.partitions', {
  queue: 'long',
  cron: '20 0 * * *',
  statementLimit: LONG_STATEMENTS,
});

/** Removes the marks of viewings whose window has passed. */
export const forgetViewings = defineJob('activity.forget-viewings', {
  queue: 'long',
  cron: '40 0 * * *',
  statementLimit: LONG_STATEMENTS,
});
