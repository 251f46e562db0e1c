import { EntityManager, type InferKyselyDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type QueryCreator } from 'kysely';
import { after, Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import { backOff } from './back-off.js';
import { JobSchema, type JobState } from './job.entity.js';
import { JobTimings } from './job-timings.js';
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

export interface ClaimWish {
  readonly queues: QueueName[];
  /** Jobs that this process can do; the others stay for a newer version of the program. */
  readonly names: string[];
  readonly limit: number;
  /** Of these only; of all that are due when left out. */
  readonly ids?: number[];
}

const AFTER_CRASH = 'The worker stopped before the job ended.';
/** A job that nobody holds, and about which nobody has been told. */
const released = { lease_token: null, lease_until: null, dispatched_at: null };
const columns = [
  'jobs.id',
  'jobs.name',
  'jobs.payload',
  'jobs.attempts',
  'jobs.max_attempts',
  'jobs.lease_token',
] as const;

/** The jobs due first that nobody else is looking at, locked. */
const due = (db: QueryCreator<InferKyselyDB<typeof JobSchema>>, { queues, names, limit }: ClaimWish, now: Date) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('queue', 'in', queues)
    .where('state', '=', 'queued')
    .where('run_at', '<=', now)
    .where('name', 'in', names)
    .orderBy('priority')
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked();

/**
 * The states of jobs in the database, each change one statement. Only the holder of the lease token ends a job, so
 * a worker that lost its lease cannot undo what the next one did. Leases are measured by the clock of the database,
 * which all workers share.
 */
@Injectable()
export class JobStore {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly timings: JobTimings,
  ) {}

  /** Takes up to `limit` due jobs; no two callers are given the same one. */
  async claim(wish: ClaimWish): Promise<ClaimedJob[]> {
    const rows = await this.jobs()
      .with(
        (cte) => cte('due').materialized(),
        (db) =>
          due(db, wish, this.clock.now()).$if(wish.ids !== undefined, (rows) => rows.where('id', 'in', wish.ids!)),
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
    return rows.map((row) => ({
      id: Number(row.id),
      name: row.name,
      payload: row.payload,
      attempt: row.attempts,
      maxAttempts: row.max_attempts,
      token: row.lease_token!,
    }));
  }

  /**
   * Notes that messages about up to `limit` due jobs are sent: those that none was sent about, and those that nobody
   * has claimed for a while since, for messages can be lost. @returns their ids
   */
  async announce(wish: ClaimWish): Promise<number[]> {
    const again = sql<Date>`now() - ${this.timings.announceAgain} * interval '1 millisecond'`;
    const rows = await this.jobs()
      .with(
        (cte) => cte('due').materialized(),
        (db) =>
          due(db, wish, this.clock.now()).where((is) =>
            is.or([is('dispatched_at', 'is', null), is('dispatched_at', '<', again)]),
          ),
      )
      .updateTable('jobs')
      .from('due')
      .set({ dispatched_at: sql<Date>`now()` })
      .whereRef('jobs.id', '=', 'due.id')
      .returning('jobs.id')
      .execute();
    return rows.map(({ id }) => Number(id));
  }

  /** Forgets which messages were sent: all due jobs are announced anew. */
  async forgetAnnounced(): Promise<void> {
    await this.jobs()
      .updateTable('jobs')
      .set({ dispatched_at: null })
      .where('state', '=', 'queued')
      .where('dispatched_at', 'is not', null)
      .execute();
  }

  /** Ends a job that was done. */
  async finish(job: ClaimedJob): Promise<void> {
    await this.jobs().deleteFrom('jobs').where('id', '=', job.id).where('lease_token', '=', job.token).execute();
  }

  /**
   * Puts a failed job back with a delay, or keeps it as dead after its last try.
   * @param error what is kept of the failure
   */
  async fail(job: ClaimedJob, error: string): Promise<JobState> {
    const state = job.attempt >= job.maxAttempts ? 'dead' : 'queued';
    const now = this.clock.now();
    const runAt = state === 'dead' ? now : after(now, backOff(job.attempt));
    await this.jobs()
      .updateTable('jobs')
      .set({ ...released, state, run_at: runAt, last_error: error })
      .where('id', '=', job.id)
      .where('lease_token', '=', job.token)
      .execute();
    return state;
  }

  /** Puts jobs back that were not ended for no fault of theirs; the try does not count. */
  async giveBack(tokens: string[]): Promise<void> {
    if (tokens.length === 0) return;
    await this.jobs()
      .updateTable('jobs')
      .set({ ...released, state: 'queued', attempts: sql<number>`attempts - 1` })
      .where('lease_token', 'in', tokens)
      .execute();
  }

  /** Prolongs leases. @returns the tokens that still hold one */
  async extend(tokens: string[]): Promise<Set<string>> {
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
  async sweep(): Promise<number> {
    const rows = await this.jobs()
      .updateTable('jobs')
      .set({
        state: sql<JobState>`case when attempts < max_attempts then 'queued' else 'dead' end`,
        ...released,
        run_at: this.clock.now(),
        last_error: AFTER_CRASH,
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
    return sql<Date>`now() + ${this.timings.lease} * interval '1 millisecond'`;
  }
}
