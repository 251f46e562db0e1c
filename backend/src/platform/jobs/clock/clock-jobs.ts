import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../clock/clock.js';
import { query } from '../../database/query.js';
import { inTransaction } from '../../database/transaction.js';
import { slotOf } from './clock-slot.js';
import { ClockRunSchema } from '../job.entity.js';
import { defineJob, knownClockJobs, LONG_STATEMENTS, type ClockJobDefinition } from '../job-definition.js';
import { Jobs } from '../jobs.service.js';
import { OnJob } from '../on-job.decorator.js';

/** Forgets old ticks of clock jobs, daily. */
export const purgeClockRuns = defineJob('jobs.purge-clock-runs', {
  queue: 'maintenance',
  cron: '17 3 * * *',
  statementLimit: LONG_STATEMENTS,
});

/** How long ticks are kept. */
const KEPT = 7 * DAY;

/** Enqueues clock jobs at their ticks; the work itself is an ordinary job. */
@Injectable()
export class ClockJobs {
  private readonly logger = new Logger('Jobs');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly scheduler: SchedulerRegistry,
  ) {}

  /**
   * Enqueues the job for its latest tick at or before `at`, unless a process has done so. The tick and the job are
   * written together, so that a tick neither gets lost nor counts twice.
   * @returns whether this call enqueued it
   */
  runClockJob(definition: ClockJobDefinition, at: Date): Promise<boolean> {
    const slot = slotOf(definition.cron, at);
    return inTransaction(this.em.fork(), async (em) => {
      const row = await query<typeof ClockRunSchema>(em)
        .insertInto('clock_runs')
        .values({ name: definition.name, slot })
        .onConflict((conflict) => conflict.columns(['name', 'slot']).doNothing())
        .returning('name')
        .executeTakeFirst();
      if (!row) return false;
      await this.jobs.enqueue(em, definition, { slot: slot.toISOString() });
      return true;
    });
  }

  /** Starts the timers, and makes up for the latest tick of each job if nobody was there for it. */
  async start(): Promise<void> {
    for (const definition of knownClockJobs()) {
      const tick = () => this.tick(definition);
      const timer = CronJob.from({ cronTime: definition.cron, onTick: tick, timeZone: 'UTC', start: true });
      this.scheduler.addCronJob(definition.name, timer);
      await tick();
    }
  }

  /** Stops the timers. */
  async stop(): Promise<void> {
    for (const { name } of knownClockJobs()) {
      if (!this.scheduler.doesExist('cron', name)) continue;
      await this.scheduler.getCronJob(name).stop();
      this.scheduler.deleteCronJob(name);
    }
  }

  /** The latest tick of each job stays, however old: without it a restarting worker would enqueue that tick again. */
  @OnJob(purgeClockRuns)
  async forgetOld(): Promise<void> {
    await query<typeof ClockRunSchema>(this.em)
      .deleteFrom('clock_runs')
      .where('slot', '<', after(this.clock.now(), -KEPT))
      .where(
        sql<boolean>`exists (select from clock_runs later where later.name = clock_runs.name and later.slot > clock_runs.slot)`,
      )
      .execute();
  }

  private async tick(definition: ClockJobDefinition): Promise<void> {
    try {
      await this.runClockJob(definition, this.clock.now());
    } catch (error) {
      this.logger.error({ err: error, job: definition.name }, 'A clock job could not be enqueued.');
    }
  }
}
