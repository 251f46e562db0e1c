import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';

/** Removes data whose retention period has passed. */
export const applyRetention = defineJob('retention.apply-retention', {
  queue: 'long',
  cron: '17 2 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});
