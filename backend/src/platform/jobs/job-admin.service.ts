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

/** A job that failed on its last attempt and is kept for an admin's decision. */
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

/** Queue states, and management of dead jobs, for admins. */
@Injectable()
export class JobAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobNotifier: JobNotifier,
  ) {}

  /** Returns all queues, including empty ones. */
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
   * Lists dead jobs, newest first.
   * @param page page size (1,000 by default) and the cursor of the previous page
   * @throws VALIDATION_FAILED for an invalid cursor
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

  /** Requeues a dead job with all its attempts. @returns false when there is no such dead job */
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

  /** Deletes a dead job. @returns false when there is no such dead job */
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
