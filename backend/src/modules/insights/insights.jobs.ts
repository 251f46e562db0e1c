import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Rolls up page reads by page and day. */
export const rollUpReading = defineJob('insights.roll-up-reading', {
  queue: 'clock',
  cron: '* * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Creates the monthly partitions of `page_reads` ahead of time. */
export const createReadingPartitions = defineJob('insights.create-reading-partitions', {
  queue: 'long',
  cron: '25 0 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});
