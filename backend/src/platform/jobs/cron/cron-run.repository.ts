import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../database/query.js';
import type { ClockRunSchema } from '../job.entity.js';

/** Runs of cron jobs that were enqueued. */
@Injectable()
export class CronRunRepository {
  constructor(private readonly em: EntityManager) {}

  /** Inserts a run. @returns false if another process has done so */
  async insertRun(em: EntityManager, name: string, slot: Date): Promise<boolean> {
    const row = await query<typeof ClockRunSchema>(em)
      .insertInto('clock_runs')
      .values({ name, slot })
      .onConflict((conflict) => conflict.columns(['name', 'slot']).doNothing())
      .returning('name')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Deletes the runs before `before`, except the latest run of each job. */
  async deleteRunsBefore(before: Date): Promise<void> {
    await query<typeof ClockRunSchema>(this.em)
      .deleteFrom('clock_runs')
      .where('slot', '<', before)
      .where(
        sql<boolean>`exists (select from clock_runs later where later.name = clock_runs.name and later.slot > clock_runs.slot)`,
      )
      .execute();
  }
}
