import { defineJob, LONG_STATEMENT_LIMIT } from '../../platform/jobs/job-definition.js';
import type { Metric } from './plan-catalogue.js';
import type { WarningLevel } from './plan.policy.js';

export interface LimitWarningJob {
  ownerId: number;
  metric: Metric;
  level: WarningLevel;
}

/** Emails an owner that 80% or all of a limit of their plan is used. */
export const notifyLimitReached = defineJob<LimitWarningJob>('plans.notify-limit-reached', { queue: 'mail' });

/** Applies a changed default plan to the limits of every owner. */
export const applyDefaultPlan = defineJob<object>('plans.apply-default-plan', { queue: 'long' });

/** Finds owners who have used 80% or all of a limit, hourly. Each is emailed once per month and level. */
export const enqueueLimitWarnings = defineJob('plans.enqueue-limit-warnings', {
  queue: 'clock',
  cron: '23 * * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});
