import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';
import type { Metric } from './plan-catalogue.js';
import type { WarningLevel } from './plan.policy.js';

export interface LimitWarningJob {
  ownerId: number;
  metric: Metric;
  level: WarningLevel;
}

/** Writes to an owner that most, or all, of a limit of the plan is used. */
export const notifyLimitReached = defineJob<LimitWarningJob>('plans.tell-of-limit', { queue: 'mail' });

/** Brings what is enforced of every owner to the default plan of the installation, after it has changed. */
export const applyDefaultPlan = defineJob<object>('plans.follow-default', { queue: 'long' });

/** Finds the owners who have used most or all of a limit, hourly; each is written to once a month and level. */
export const enqueueLimitWarnings = defineJob('plans.warn-of-limits', {
  queue: 'clock',
  cron: '23 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});
