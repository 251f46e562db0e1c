import { EntityManager, type InferKyselyDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type QueryCreator, type RawBuilder } from 'kysely';
import { Clock, HOUR, SECOND } from '../clock/clock.js';
import { query } from '../database/query.js';
import { JobSchema, type JobState } from './job.entity.js';
import { JobTimings } from './running/job-timings.js';
import type { QueueName } from './queues.js';

/** A job that this process holds by its lease. */
export interface ClaimedJob {
  readonly id: number;
  readonly name: string;
  readonly payload: object;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly token: string;
}

/** A job about which a message is sent. */
export interface DispatchedJob {
  readonly id: number;
  /** When it is due, which a try that failed puts off: with the id it names the message. */
  readonly runAt: Date;
  /** Milliseconds until then; 0 when that is past. */
  readonly wait: number;
}

export interface ClaimRequest {
  readonly queues: QueueName[];
  /** Jobs that this process can do; the others stay for a newer version of the program. */
  readonly names: string[];
  readonly limit: number;
  /** Of these only; of all that are due when left out. */
  readonly ids?: number[];
}

const CRASH_MESSAGE = 'The worker stopped before the job ended.';
/** A job that nobody holds, and about which nobody has been told. */
const releasedColumns = { lease_token: null, lease_until: null, dispatched_at: null };
const columns = [
  ...(['jobs.id as id', 'jobs.name as name', 'jobs.payload as payload', 'jobs.attempts as attempt'] as const),
  ...(['jobs.max_attempts as maxAttempts'] as const),
  sql<string>`jobs.lease_token`.as('token'),
];

type JobQueries = QueryCreator<InferKyselyDB<typeof JobSchema>>;

/** The jobs due first, `until` then, that nobody else is looking at, locked. */
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
 * The states of jobs in the database, each change one statement. Only the holder of the lease token ends a job, so
 * a worker that lost its lease cannot undo what the next one did. Leases, and when a job is due, are measured by the clock
 * of the database, which all processes share.
 */
@Injectable()
export class JobRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly timings: JobTimings,
  ) {}

  /** Takes up to `limit` due jobs; no two callers are given the same one. */
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

  /**
   * Notes that messages about up to `limit` jobs are sent. Of those due now: about which none was sent, or nobody has
   * claimed the job for a while since it was due, for messages can be lost. Of those due soon: about which none was sent.
   */
  async markDispatched(request: ClaimRequest, when: 'now' | 'soon'): Promise<DispatchedJob[]> {
    const now = this.clock.databaseNow();
    const isSoon = when === 'soon';
    const again = sql`${this.timings.redispatchAfter} * interval '1 millisecond'`;
    const ahead = sql<Date>`${now} + ${isSoon ? this.timings.dispatchAhead : 0} * interval '1 millisecond'`;
    const rows = await this.jobs()
      .with(
        (cte) => cte('due').materialized(),
        (db) =>
          selectDueJobs(db, request, ahead)
            .$if(isSoon, (jobs) => jobs.where('run_at', '>', now).where('dispatched_at', 'is', null))
            .$if(!isSoon, (jobs) =>
              jobs.where(
                sql<boolean>`(dispatched_at is null or dispatched_at < now() - ${again} and run_at < ${now} - ${again})`,
              ),
            ),
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

  /** Forgets which messages were sent: all due jobs are announced anew. */
  async clearDispatched(): Promise<void> {
    await this.jobs()
      .updateTable('jobs')
      .set({ dispatched_at: null })
      .where('state', '=', 'queued')
      .where('dispatched_at', 'is not', null)
      .execute();
  }

  /** Ends a job that was done. */
  async deleteFinished(job: ClaimedJob): Promise<void> {
    await this.jobs().deleteFrom('jobs').where('id', '=', job.id).where('lease_token', '=', job.token).execute();
  }

  /**
   * Puts a failed job back with a delay, or keeps it as dead after its last try.
   * @param error what is kept of the failure
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

  /** Puts jobs back that were not ended for no fault of theirs; the try does not count. */
  async release(tokens: string[]): Promise<void> {
    if (tokens.length === 0) return;
    await this.jobs()
      .updateTable('jobs')
      .set({ ...releasedColumns, state: 'queued', attempts: sql<number>`attempts - 1` })
      .where('lease_token', 'in', tokens)
      .execute();
  }

  /** Prolongs leases. @returns the tokens that still hold one */
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

  /** Takes jobs from workers that died: due again at once, or dead after the last try. @returns how many */
  async reclaimExpired(): Promise<number> {
    const rows = await this.jobs()
      .updateTable('jobs')
      .set({
        state: sql<JobState>`case when attempts < max_attempts then 'queued' else 'dead' end`,
        ...releasedColumns,
        dead_at: sql<Date | null>`case when attempts < max_attempts then null else ${this.clock.databaseNow()} end`,
        run_at: this.clock.databaseNow(),
        last_error: CRASH_MESSAGE,
      })
      .where('state', '=', 'running')
      .where('lease_until', '<', sql<Date>`now()`)
      .returning('id')
      .execute();
    return rows.length;
  }

  private jobs() {
    return query<typeof JobSchema>(this.em.fork());
  }

  private leaseEnd() {
    return sql<Date>`now() + ${this.timings.leaseDuration} * interval '1 millisecond'`;
  }
}

const FIRST_DELAY = 5 * SECOND;
const MAX_DELAY = HOUR;

/**
 * How long to wait after a failed try: 5 s, doubled with each try up to an hour, and a quarter more or less by
 * chance, so that jobs that failed together do not come back together.
 * @param attempt 1 after the first try
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export function backoffDelay(attempt: number, jitter = Math.random()): number {
  const plain = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
  return Math.round(plain * (0.75 + jitter / 2));
}
