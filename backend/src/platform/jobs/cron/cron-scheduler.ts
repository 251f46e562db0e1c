import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { addMilliseconds, Clock, DAY } from '../../clock/clock.js';
import { inTransaction } from '../../database/transaction.js';
import { CronRunRepository } from './cron-run.repository.js';
import { latestCronSlot } from './cron-slot.js';
import { defineJob, allCronJobDefinitions, LONG_STATEMENT_LIMIT, type CronJobDefinition } from '../job-definition.js';
import { JobsService } from '../jobs.service.js';
import { OnJob } from '../on-job.decorator.js';

/** Deletes old cron runs daily. */
export const purgeCronRuns = defineJob('jobs.purge-cron-runs', {
  queue: 'maintenance',
  cron: '17 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** How long cron runs are kept, in milliseconds. */
const RUN_RETENTION = 7 * DAY;

/** Enqueues cron jobs when they are due; the work itself is an ordinary job. */
@Injectable()
export class CronScheduler {
  private readonly logger = new Logger('Jobs');

  constructor(
    private readonly em: EntityManager,
    private readonly runs: CronRunRepository,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly scheduler: SchedulerRegistry,
  ) {}

  /**
   * Enqueues the job for its latest scheduled time at or before `at`, unless another process has done so. The run and
   * the job are written together, so that no run is lost or duplicated.
   * @returns whether this call enqueued it
   */
  enqueueCronRun(definition: CronJobDefinition, at: Date): Promise<boolean> {
    const slot = latestCronSlot(definition.cron, at);
    return inTransaction(this.em.fork(), async (em) => {
      if (!(await this.runs.insertRun(em, definition.name, slot))) return false;
      await this.jobs.enqueue(em, definition, { slot: slot.toISOString() });
      return true;
    });
  }

  /** Starts the timers, and enqueues the latest run of each job if it was missed. */
  async start(): Promise<void> {
    for (const definition of allCronJobDefinitions()) {
      const tick = () => this.tick(definition);
      const timer = CronJob.from({ cronTime: definition.cron, onTick: tick, timeZone: 'UTC', start: true });
      this.scheduler.addCronJob(definition.name, timer);
      await tick();
    }
  }

  async stop(): Promise<void> {
    for (const { name } of allCronJobDefinitions()) {
      if (!this.scheduler.doesExist('cron', name)) continue;
      await this.scheduler.getCronJob(name).stop();
      this.scheduler.deleteCronJob(name);
    }
  }

  /** Keeps the latest run of each job, however old. Without it, a restarting worker would enqueue that run again. */
  @OnJob(purgeCronRuns)
  async purgeOldRuns(): Promise<void> {
    await this.runs.deleteRunsBefore(addMilliseconds(this.clock.now(), -RUN_RETENTION));
  }

  private async tick(definition: CronJobDefinition): Promise<void> {
    try {
      await this.enqueueCronRun(definition, this.clock.now());
    } catch (error) {
      this.logger.error({ err: error, job: definition.name }, "Couldn't enqueue a cron job.");
    }
  }
}
