import { Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { CronScheduler } from '../cron/cron-scheduler.js';
import { JobRunner } from './job-runner.js';
import { JobTransport } from '../in-process.transport.js';

/** Starts and stops job processing; does nothing in a web process. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private isStarted = false;

  constructor(
    private readonly config: AppConfig,
    private readonly transport: JobTransport,
    private readonly runner: JobRunner,
    private readonly cronScheduler: CronScheduler,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role !== 'worker') return;
    this.isStarted = true;
    await this.transport.start();
    await this.cronScheduler.start();
  }

  /** Stops cron runs first, then claiming, then waits for running jobs. */
  async onModuleDestroy(): Promise<void> {
    if (!this.isStarted) return;
    this.isStarted = false;
    await this.cronScheduler.stop();
    await this.transport.stop();
    await this.runner.stop();
  }
}

/**
 * Separate from JobsModule, and not global, because Nest destroys modules in reverse order of their distance and global
 * ones last: running jobs can still use email, storage and the database.
 */
@Module({ providers: [JobWorker] })
export class JobWorkerModule {}
