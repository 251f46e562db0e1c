import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { JobDefinition } from './job-definition.js';
import { JobSchema } from './job.entity.js';
import { JobNotifier } from './job-notifier.js';

export interface EnqueueOptions {
  /** Earliest time to run; immediately by default. */
  readonly runAt?: Date;
  /** Lower values run first; 0 by default. */
  readonly priority?: number;
}

/** Enqueues work to be done after the commit. */
@Injectable()
export class JobsService {
  constructor(
    private readonly clock: Clock,
    private readonly jobNotifier: JobNotifier,
  ) {}

  /**
   * Enqueues a job in the transaction of `em`: it runs only if that commits. Without a transaction it runs soon.
   * Delivery is at least once, in no guaranteed order.
   * @param payload ids, never a secret, a token or a code: it is stored and shown to admins
   */
  async enqueue<P extends object>(
    em: EntityManager,
    definition: JobDefinition<P>,
    payload: P,
    options: EnqueueOptions = {},
  ): Promise<void> {
    await this.enqueueRevocable(em, definition, payload, options);
  }

  /**
   * Enqueues a job for work that may also be done earlier, elsewhere. The code that does it revokes the job in the same
   * transaction.
   * @returns the job id to pass to `revoke`
   */
  async enqueueRevocable<P extends object>(
    em: EntityManager,
    definition: JobDefinition<P>,
    payload: P,
    options: EnqueueOptions = {},
  ): Promise<number> {
    const now = this.clock.now();
    const { id } = await query<typeof JobSchema>(em)
      .insertInto('jobs')
      .values({
        queue: definition.queue,
        name: definition.name,
        payload: sql<object>`${JSON.stringify(payload)}::jsonb`,
        priority: options.priority ?? 0,
        run_at: options.runAt ?? this.clock.databaseNow(),
        max_attempts: definition.maxAttempts,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    this.jobNotifier.notify(em, definition.queue);
    return Number(id);
  }

  /**
   * Deletes a job in the transaction of `em`, so that its work is done only once. The job's own handler revokes it as
   * well.
   * @returns whether the job existed; if not, the work is already done
   */
  async revoke(em: EntityManager, id: number): Promise<boolean> {
    const row = await query<typeof JobSchema>(em)
      .deleteFrom('jobs')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Enqueues one job per payload in a single statement; for hundreds of jobs. */
  async enqueueMany<P extends object>(
    em: EntityManager,
    definition: JobDefinition<P>,
    payloads: readonly P[],
    options: EnqueueOptions = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    const now = this.clock.now();
    await sql`
      insert into jobs (queue, name, payload, priority, run_at, max_attempts, created_at)
      select ${definition.queue}, ${definition.name}, payload, ${options.priority ?? 0},
        ${options.runAt ?? this.clock.databaseNow()},
        ${definition.maxAttempts}, ${now}
      from jsonb_array_elements(${JSON.stringify(payloads)}::jsonb) payload
    `.execute(query<typeof JobSchema>(em));
    this.jobNotifier.notify(em, definition.queue);
  }
}
