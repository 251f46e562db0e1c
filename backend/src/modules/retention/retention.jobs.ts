import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Removes what has been kept for as long as the installation keeps it. */
export const applyRetention = defineJob('retention.remove-aged', {
  queue: 'long',
  cron: '17 2 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});
