import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import { CronScheduler } from '../cron/cron-scheduler.js';
import { JobRunner } from './job-runner.js';
import { JobRepository } from '../job.repository.js';
import { JobTimings } from './job-timings.js';
import { JobTransport } from '../in-process.transport.js';

/** Starts and stops job processing; does nothing in a web process. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private sweepTimer: NodeJS.Timeout | undefined;
  private isStarted = false;

  constructor(
    private readonly config: AppConfig,
    private readonly transport: JobTransport,
    private readonly runner: JobRunner,
    private readonly jobRepository: JobRepository,
    private readonly cronScheduler: CronScheduler,
    private readonly timings: JobTimings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role !== 'worker') return;
    this.isStarted = true;
    await this.reclaimExpiredJobs();
    this.sweepTimer = setInterval(() => void this.reclaimExpiredJobs(), this.timings.sweepInterval);
    await this.transport.start();
    await this.cronScheduler.start();
  }

  /** Stops cron runs first, then claiming, then waits for running jobs. */
  async onModuleDestroy(): Promise<void> {
    if (!this.isStarted) return;
    this.isStarted = false;
    clearInterval(this.sweepTimer);
    await this.cronScheduler.stop();
    await this.transport.stop();
    await this.runner.stop();
  }

  private async reclaimExpiredJobs(): Promise<void> {
    try {
      const count = await runInPoolPartition('heartbeats', () => this.jobRepository.reclaimExpired());
      if (count > 0) this.logger.warn({ count }, 'Requeued the jobs of a worker that died.');
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't look for jobs of dead workers.");
    }
  }
}

/**
 * Separate from JobsModule, and not global, because Nest destroys modules in reverse order of their distance and global
 * ones last: running jobs can still use email, storage and the database.
 */
@Module({ providers: [JobWorker] })
export class JobWorkerModule {}
