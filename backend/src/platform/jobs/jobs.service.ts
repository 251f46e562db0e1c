import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { JobDefinition } from './job-definition.js';
import { JobSchema } from './job.entity.js';
import { JobNotifier } from './job-notifier.js';

export interface EnqueueOptions {
  /** Not before this; at once when left out. */
  readonly runAt?: Date;
  /** Lower runs first; 0 when left out. */
  readonly priority?: number;
}

/** How modules have work done after their commit. */
@Injectable()
export class JobsService {
  constructor(
    private readonly clock: Clock,
    private readonly jobNotifier: JobNotifier,
  ) {}

  /**
   * Writes a job in the transaction of `em`: it is done if, and only if, that commits. Without a transaction it is
   * done soon. At least once, in no promised order.
   * @param payload ids, never a secret, a token or a code (it is stored and shown to admins)
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
   * The same for work that somebody means to do sooner: who does it revokes the job in the transaction of the work.
   * @returns the id, by which it is revoked
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
   * Takes a job out in the transaction of `em`, so that its work is done once: by whoever revokes it, be it the handler
   * of the job itself.
   * @returns whether it was there; if not, another has done the work
   */
  async revoke(em: EntityManager, id: number): Promise<boolean> {
    const row = await query<typeof JobSchema>(em)
      .deleteFrom('jobs')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Writes a job a payload, all in one statement: `enqueue` for hundreds at once. */
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
