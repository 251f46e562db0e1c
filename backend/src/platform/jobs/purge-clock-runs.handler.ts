import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../clock/clock.js';
import { query } from '../database/query.js';
import { ClockRunSchema } from './clock-run.entity.js';
import { JobHandler, type Handles } from './job-handler.decorator.js';
import type { ClockTick } from './job-definition.js';
import { purgeClockRuns } from './purge-clock-runs.job.js';

const KEPT = 7 * DAY;

/** The latest tick of each job stays, however old: without it a restarting worker would enqueue that tick again. */
@JobHandler(purgeClockRuns)
export class PurgeClockRunsHandler implements Handles<ClockTick> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async handle(): Promise<void> {
    await query<typeof ClockRunSchema>(this.em)
      .deleteFrom('clock_runs')
      .where('slot', '<', after(this.clock.now(), -KEPT))
      .where(
        sql<boolean>`exists (select from clock_runs later where later.name = clock_runs.name and later.slot > clock_runs.slot)`,
      )
      .execute();
  }
}
