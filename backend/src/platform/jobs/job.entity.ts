import { defineEntity, p } from '@mikro-orm/core';
import type { QueueName } from './queues.js';

export type JobState = 'queued' | 'running' | 'dead';

/** Work to be done after a commit; the row is the only truth about it. A finished job is deleted. */
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
    /** Lower runs first. */
    priority: p.smallint().default(0),
    runAt: p.datetime(),
    attempts: p.smallint().default(0),
    maxAttempts: p.smallint(),
    leaseUntil: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    /** When a message about this job was last handed to an outside queue. */
    dispatchedAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    /** When it gave up; null before, and again once it is tried anew. */
    deadAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class Job extends JobSchema.class {}
JobSchema.setClass(Job);

/** A tick of a clock job that has been enqueued: of several processes, the one that writes the row enqueues. */
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
