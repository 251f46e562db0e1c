import { EntityManager, type InferKyselyDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type QueryCreator, type RawBuilder } from 'kysely';
import { Clock, HOUR, SECOND } from '../clock/clock.js';
import { query } from '../database/query.js';
import { JobSchema, type JobState } from './job.entity.js';
import { JobTimings } from './running/job-timings.js';
import { queues, type QueueName } from './queues.js';

/** A job to insert, without its payload. */
export interface NewJob {
  readonly queue: QueueName;
  readonly name: string;
  readonly maxAttempts: number;
  /** Lower values run first. */
  readonly priority: number;
  /** Null for a job that is due now. */
  readonly runAt: Date | null;
}

/** Job counts of a queue. */
export interface QueueState {
  readonly queue: QueueName;
  /** Waiting and due. */
  readonly due: number;
  /** Waiting for their due time, including retries. */
  readonly later: number;
  readonly running: number;
  readonly dead: number;
  /** Due time of the job that has waited longest; null when none is due. */
  readonly oldestDueAt: Date | null;
}

/** A job whose lease this process holds. */
export interface ClaimedJob {
  readonly id: number;
  readonly name: string;
  readonly payload: object;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly token: string;
}

/** Jobs that a poll looks for: those to run now, or those for which a message must be sent now. */
export type PollTarget = 'due' | 'undispatched';

/** What a poll found. */
export interface PollResult {
  /** Queues with such jobs. */
  readonly queues: ReadonlySet<QueueName>;
  /** Number of jobs taken from crashed workers. */
  readonly reclaimed: number;
}

/** A job for which a message is sent. */
export interface DispatchedJob {
  readonly id: number;
  /** When the job is due; failed attempts postpone it. Part of the message id. */
  readonly runAt: Date;
  /** Milliseconds until then; 0 when it is in the past. */
  readonly wait: number;
}

export interface ClaimRequest {
  readonly queues: QueueName[];
  /** Jobs that this process knows; others are left to newer versions. */
  readonly names: string[];
  readonly limit: number;
  /** Restricts the claim to these ids. */
  readonly ids?: number[];
}

const CRASH_MESSAGE = 'The worker stopped before the job ended.';
/** Column values of a job without a lease or message. */
const releasedColumns = { lease_token: null, lease_until: null, dispatched_at: null };
const columns = [
  ...(['jobs.id as id', 'jobs.name as name', 'jobs.payload as payload', 'jobs.attempts as attempt'] as const),
  ...(['jobs.max_attempts as maxAttempts'] as const),
  sql<string>`jobs.lease_token`.as('token'),
];

type JobQueries = QueryCreator<InferKyselyDB<typeof JobSchema>>;

/** Selects and locks the first jobs that are due by `until`, skipping locked rows. */
const selectDueJobs = (db: JobQueries, { queues, names, limit }: ClaimRequest, until: RawBuilder<Date>) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('queue', 'in', queues)
    .where('state', '=', 'queued')
    .where('run_at', '<=', until)
    .where('name', 'in', names)
    .orderBy('priority')
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked();

/**
 * Inserts, counts and deletes jobs, and changes their state, each change in a single statement. Only the holder of the lease token can end a job, so a
 * worker that lost its lease can't undo what the next one did. Leases and due times use the database's clock, which all
 * processes share.
 */
@Injectable()
export class JobRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly timings: JobTimings,
  ) {}

  /** @returns the job's id */
  async insertJob(em: EntityManager, job: NewJob, payload: object): Promise<number> {
    const now = this.clock.now();
    const { id } = await query<typeof JobSchema>(em)
      .insertInto('jobs')
      .values({
        queue: job.queue,
        name: job.name,
        payload: sql<object>`${JSON.stringify(payload)}::jsonb`,
        priority: job.priority,
        run_at: job.runAt ?? this.clock.databaseNow(),
        max_attempts: job.maxAttempts,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  /** Inserts one job per payload in a single statement. */
  async insertJobs(em: EntityManager, job: NewJob, payloads: readonly object[]): Promise<void> {
    const now = this.clock.now();
    await sql`
      insert into jobs (queue, name, payload, priority, run_at, max_attempts, created_at)
      select ${job.queue}, ${job.name}, payload, ${job.priority},
        ${job.runAt ?? this.clock.databaseNow()},
        ${job.maxAttempts}, ${now}
      from jsonb_array_elements(${JSON.stringify(payloads)}::jsonb) payload
    `.execute(query<typeof JobSchema>(em));
  }

  /**
   * Deletes a job in the transaction of `em`, so that its work is done only once. The job's own handler deletes it as
   * well.
   * @returns whether the job existed; if not, the work is already done
   */
  async deleteJob(em: EntityManager, id: number): Promise<boolean> {
    const row = await query<typeof JobSchema>(em)
      .deleteFrom('jobs')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Claims up to `limit` due jobs; no job is given to two callers. */
  async claim(request: ClaimRequest): Promise<ClaimedJob[]> {
    return this.jobs()
      .with(
        (cte) => cte('due').materialized(),
        (db) =>
          selectDueJobs(db, request, this.clock.databaseNow()).$if(request.ids !== undefined, (jobs) =>
            jobs.where('id', 'in', request.ids!),
          ),
      )
      .updateTable('jobs')
      .from('due')
      .set({
        state: 'running',
        attempts: sql<number>`attempts + 1`,
        lease_token: sql<string>`gen_random_uuid()`,
        lease_until: this.leaseEnd(),
      })
      .whereRef('jobs.id', '=', 'due.id')
      .returning(columns)
      .execute();
  }

  /** Marks up to `limit` jobs for which a message must be sent as dispatched, and returns them. */
  async markDispatched(request: ClaimRequest, when: 'now' | 'soon'): Promise<DispatchedJob[]> {
    const now = this.clock.databaseNow();
    const isSoon = when === 'soon';
    const dueBefore = isSoon ? this.dispatchHorizon() : now;
    const rows = await this.jobs()
      .with(
        (cte) => cte('due').materialized(),
        (db) =>
          selectDueJobs(db, request, dueBefore)
            .where(this.isUndispatchedSql())
            .$if(isSoon, (jobs) => jobs.where('run_at', '>', now)),
      )
      .updateTable('jobs')
      .from('due')
      .set({ dispatched_at: sql<Date>`now()` })
      .whereRef('jobs.id', '=', 'due.id')
      .returning(['jobs.id', 'jobs.run_at as runAt'])
      .returning(sql<number>`greatest(0, extract(epoch from jobs.run_at - ${now}) * 1000)::float8`.as('wait'))
      .execute();
    return rows.map(({ id, runAt, wait }) => ({ id, runAt, wait }));
  }

  /** Clears the dispatch marks, so that all due jobs are dispatched again. */
  async clearDispatched(): Promise<void> {
    await this.jobs()
      .updateTable('jobs')
      .set({ dispatched_at: null })
      .where('state', '=', 'queued')
      .where('dispatched_at', 'is not', null)
      .execute();
  }

  /** Deletes a job that succeeded. */
  async deleteFinished(job: ClaimedJob): Promise<void> {
    await this.jobs().deleteFrom('jobs').where('id', '=', job.id).where('lease_token', '=', job.token).execute();
  }

  /**
   * Reschedules a failed job with a delay, or marks it as dead after its last attempt.
   * @param error the error description to store
   */
  async recordFailure(job: ClaimedJob, error: string): Promise<JobState> {
    const state = job.attempt >= job.maxAttempts ? 'dead' : 'queued';
    const wait = state === 'dead' ? 0 : backoffDelay(job.attempt);
    const runAt = sql<Date>`${this.clock.databaseNow()} + ${wait} * interval '1 millisecond'`;
    await this.jobs()
      .updateTable('jobs')
      .set({
        ...releasedColumns,
        state,
        run_at: runAt,
        last_error: error,
        dead_at: state === 'dead' ? this.clock.databaseNow() : null,
      })
      .where('id', '=', job.id)
      .where('lease_token', '=', job.token)
      .execute();
    return state;
  }

  /** Requeues jobs that were interrupted through no fault of their own; the attempt isn't counted. */
  async release(tokens: string[]): Promise<void> {
    if (tokens.length === 0) return;
    await this.jobs()
      .updateTable('jobs')
      .set({ ...releasedColumns, state: 'queued', attempts: sql<number>`attempts - 1` })
      .where('lease_token', 'in', tokens)
      .execute();
  }

  /** Extends leases. @returns the tokens that still hold one */
  async extendLeases(tokens: string[]): Promise<Set<string>> {
    if (tokens.length === 0) return new Set();
    const rows = await this.jobs()
      .updateTable('jobs')
      .set({ lease_until: this.leaseEnd() })
      .where('lease_token', 'in', tokens)
      .returning('lease_token')
      .execute();
    return new Set(rows.map((row) => row.lease_token!));
  }

  /**
   * Requeues jobs of crashed workers, or marks them as dead after the last attempt, and finds the queues with jobs. One
   * statement does both for all queues, because most polls find nothing.
   * @param names jobs that this process knows
   */
  async pollQueues(names: readonly string[], target: PollTarget): Promise<PollResult> {
    const now = this.clock.databaseNow();
    const isFound =
      target === 'due'
        ? sql`jobs.run_at <= ${now}`
        : sql`jobs.run_at <= ${this.dispatchHorizon()} and ${this.isUndispatchedSql()}`;
    const { rows } = await sql<{ queue: QueueName; isReclaimed: boolean }>`
      with expired as materialized (
        select id from jobs where state = 'running' and lease_until < now() for update skip locked
      ), reclaimed as (
        update jobs set
          state = case when attempts < max_attempts then 'queued' else 'dead' end,
          dead_at = case when attempts < max_attempts then null else ${now} end,
          run_at = ${now}, last_error = ${CRASH_MESSAGE},
          lease_token = null, lease_until = null, dispatched_at = null
        from expired where jobs.id = expired.id returning jobs.queue
      )
      select queue, true as "isReclaimed" from reclaimed
      union all
      select polled.queue, false from unnest(${Object.keys(queues)}::text[]) as polled (queue) where exists (
        select from jobs where jobs.queue = polled.queue and jobs.state = 'queued' and ${isFound}
          and jobs.name = any(${[...names]}::text[]))`.execute(this.jobs());
    return {
      queues: new Set(rows.map(({ queue }) => queue)),
      reclaimed: rows.filter(({ isReclaimed }) => isReclaimed).length,
    };
  }

  /**
   * Makes a job due now that has failed permanently or waits for a retry, with all its attempts.
   * @returns null if it is running or there is none
   */
  async requeue(em: EntityManager, id: number): Promise<{ queue: QueueName; name: string } | null> {
    const [job] = await this.requeueQuery(em).where('id', '=', id).where('state', '!=', 'running').execute();
    return job ?? null;
  }

  /** Makes all dead jobs due now, with all their attempts. */
  requeueDead(em: EntityManager): Promise<{ queue: QueueName; name: string }[]> {
    return this.requeueQuery(em).where('state', '=', 'dead').execute();
  }

  /** Deletes a dead job. @returns null if there is no such dead job */
  async deleteDead(em: EntityManager, id: number): Promise<{ name: string } | null> {
    const job = await query<typeof JobSchema>(em)
      .deleteFrom('jobs')
      .where('id', '=', id)
      .where('state', '=', 'dead')
      .returning(['name', 'payload'])
      .executeTakeFirst();
    return job ?? null;
  }

  /** Counts the jobs of all queues, including empty ones. */
  async countByQueue(): Promise<QueueState[]> {
    const now = this.clock.databaseNow();
    const isDue = sql<boolean>`state = 'queued' and run_at <= ${now}`;
    const rows = await this.jobs()
      .selectFrom('jobs')
      .select('queue')
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere(isDue).as('due'),
        fn.countAll<number>().filterWhere('state', '=', 'queued').filterWhere('run_at', '>', now).as('later'),
        fn.countAll<number>().filterWhere('state', '=', 'running').as('running'),
        fn.countAll<number>().filterWhere('state', '=', 'dead').as('dead'),
        fn.min('run_at').filterWhere(isDue).as('oldestDueAt'),
      ])
      .groupBy('queue')
      .execute();
    const known = new Map(rows.map((row) => [row.queue, row]));
    return (Object.keys(queues) as QueueName[]).map((queue) => {
      return known.get(queue) ?? { queue, due: 0, later: 0, running: 0, dead: 0, oldestDueAt: null };
    });
  }

  /** Counts the jobs per queue and state, with the due time of the job that has waited longest. */
  countByQueueAndState() {
    return this.jobs()
      .selectFrom('jobs')
      .select(['queue', 'state', sql<number>`count(*)::int`.as('count')])
      .select(
        sql<Date | null>`min(run_at) filter (where state = 'queued' and run_at <= ${this.clock.databaseNow()})`.as(
          'due',
        ),
      )
      .groupBy(['queue', 'state'])
      .execute();
  }

  async exists(em: EntityManager, id: number): Promise<boolean> {
    const row = await query<typeof JobSchema>(em)
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  private requeueQuery(em: EntityManager) {
    return query<typeof JobSchema>(em)
      .updateTable('jobs')
      .set({ state: 'queued', attempts: 0, run_at: this.clock.databaseNow(), dispatched_at: null })
      .returning(['queue', 'name']);
  }

  private jobs() {
    return query<typeof JobSchema>(this.em.fork());
  }

  /** Messages can be lost, so a second one is sent for a job that nobody has claimed for a while. */
  private isUndispatchedSql() {
    const redispatchAfter = sql`${this.timings.redispatchAfter} * interval '1 millisecond'`;
    return sql<boolean>`(dispatched_at is null or
      dispatched_at < now() - ${redispatchAfter} and run_at < ${this.clock.databaseNow()} - ${redispatchAfter})`;
  }

  /** Messages are sent for jobs that are due by then. */
  private dispatchHorizon() {
    return sql<Date>`${this.clock.databaseNow()} + ${this.timings.dispatchAhead} * interval '1 millisecond'`;
  }

  private leaseEnd() {
    return sql<Date>`now() + ${this.timings.leaseDuration} * interval '1 millisecond'`;
  }
}

const FIRST_DELAY = 5 * SECOND;
const MAX_DELAY = HOUR;

/**
 * Returns the delay after a failed attempt: 5 seconds, doubled with each attempt up to an hour, with a random jitter of
 * ±25% so that jobs that failed together don't retry together.
 * @param attempt 1 after the first attempt
 * @param jitter from 0 to 1
 * @returns milliseconds
 */
export function backoffDelay(attempt: number, jitter = Math.random()): number {
  const plain = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
  return Math.round(plain * (0.75 + jitter / 2));
}
