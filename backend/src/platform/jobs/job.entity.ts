import { defineEntity, p } from '@mikro-orm/core';
import type { QueueName } from './queues.js';

export type JobState = 'queued' | 'running' | 'dead';

/** Work to do after a commit. The row is the only source of truth about a job; finished jobs are deleted. */
export const JobSchema = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  indexes: [
    { name: 'jobs_claim_index', properties: ['queue', 'priority', 'runAt', 'id'], where: "state = 'queued'" },
    { name: 'jobs_lease_until_index', properties: ['leaseUntil'], where: "state = 'running'" },
    { name: 'jobs_dead_index', properties: ['id'], where: "state = 'dead'" },
  ],
  checks: [{ name: 'jobs_lease_check', expression: "(state = 'running') = (lease_token is not null)" }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    queue: p.string().$type<QueueName>().length(30),
    name: p.string().length(100),
    payload: p.json<object>(),
    state: p.string().$type<JobState>().length(10).default('queued'),
    /** Lower values run first. */
    priority: p.smallint().default(0),
    runAt: p.datetime(),
    attempts: p.smallint().default(0),
    maxAttempts: p.smallint(),
    leaseUntil: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    /** When a message about this job was last sent to Redis. */
    dispatchedAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    /** When the last attempt failed; null for other jobs, and again after a manual retry. */
    deadAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class Job extends JobSchema.class {}
JobSchema.setClass(Job);

/** A run of a cron job that was enqueued. The process that inserts the row enqueues the job. */
export const ClockRunSchema = defineEntity({
  name: 'ClockRun',
  tableName: 'clock_runs',
  properties: {
    name: p.string().length(100).primary(),
    slot: p.datetime().primary(),
  },
});
export class ClockRun extends ClockRunSchema.class {}
ClockRunSchema.setClass(ClockRun);
