import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import { decodeCursor } from '../http/lists/cursor.js';
import { LIST_LIMIT, toPage, type Page } from '../http/lists/list.js';
import { JobSchema } from './job.entity.js';
import { JobNotifier } from './job-notifier.js';
import { queues, type QueueName } from './queues.js';

/** Where one queue stands. */
export interface QueueState {
  readonly queue: QueueName;
  /** Waiting, and their time has come. */
  readonly due: number;
  /** Waiting for their time, among them those that failed and are tried again. */
  readonly later: number;
  readonly running: number;
  readonly dead: number;
  /** Since when the job waits that has waited longest; null when none is due. */
  readonly oldestDueAt: Date | null;
}

/** A job that failed at its last try and is kept until somebody decides. */
export interface DeadJob {
  readonly id: number;
  readonly queue: QueueName;
  readonly name: string;
  readonly payload: object;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly diedAt: Date;
}

/** What people who look after the service see of jobs, and what they decide about those that failed for good. */
@Injectable()
export class JobAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobNotifier: JobNotifier,
  ) {}

  /** Every queue, also those that are empty. */
  async listQueues(): Promise<QueueState[]> {
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

  /**
   * Jobs that failed for good, the newest first.
   * @param page rows of a page (1,000 when left out), and the cursor of the page before
   * @throws VALIDATION_FAILED for a cursor that is none
   */
  async listDeadJobs({ limit = LIST_LIMIT, cursor }: { limit?: number; cursor?: string } = {}): Promise<Page<DeadJob>> {
    const before = cursor === undefined ? null : decodeCursor(cursor, ['bigint'])[0];
    const dead = this.jobs().selectFrom('jobs').where('state', '=', 'dead');
    const { total } = await dead.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await dead
      .$if(before !== null, (rows) => rows.where('id', '<', before))
      .select(['id', 'queue', 'name', 'payload', 'attempts', 'last_error as lastError'])
      .select(['created_at as createdAt', 'run_at as diedAt'])
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    return toPage(rows, limit, Number(total), ({ id }) => [id]);
  }

  /** Lets a dead job begin anew, with all its tries. @returns false when there is no such dead job */
  async retryDeadJob(id: number): Promise<boolean> {
    const row = await this.jobs()
      .updateTable('jobs')
      .set({ state: 'queued', attempts: 0, run_at: this.clock.databaseNow(), dispatched_at: null })
      .where('id', '=', id)
      .where('state', '=', 'dead')
      .returning('queue')
      .executeTakeFirst();
    if (row) this.jobNotifier.notify(this.em.fork(), row.queue);
    return row !== undefined;
  }

  /** Removes a dead job. @returns false when there is no such dead job */
  async discardDeadJob(id: number): Promise<boolean> {
    const { numDeletedRows } = await this.jobs()
      .deleteFrom('jobs')
      .where('id', '=', id)
      .where('state', '=', 'dead')
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  private jobs() {
    return query<typeof JobSchema>(this.em.fork());
  }
}
