import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { inLane } from '../../database/pool/places.js';
import { ClockJobs } from '../clock/clock-jobs.js';
import { JobRunner } from './job-runner.js';
import { JobStore } from '../job-store.js';
import { JobTimings } from './job-timings.js';
import { JobTransport } from '../in-process.transport.js';

/** Starts and stops the work on jobs; in a web process it does neither. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private sweeper: NodeJS.Timeout | undefined;
  private started = false;

  constructor(
    private readonly config: AppConfig,
    private readonly transport: JobTransport,
    private readonly runner: JobRunner,
    private readonly store: JobStore,
    private readonly clockJobs: ClockJobs,
    private readonly timings: JobTimings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role !== 'worker') return;
    this.started = true;
    await this.sweep();
    this.sweeper = setInterval(() => void this.sweep(), this.timings.sweep);
    await this.transport.start();
    await this.clockJobs.start();
  }

  /** Ends in order: no new ticks, no new jobs, then the jobs under way. */
  async onModuleDestroy(): Promise<void> {
    if (!this.started) return;
    this.started = false;
    clearInterval(this.sweeper);
    await this.clockJobs.stop();
    await this.transport.stop();
    await this.runner.stop();
  }

  private async sweep(): Promise<void> {
    try {
      const count = await inLane('beats', () => this.store.sweep());
      if (count > 0) this.logger.warn({ count }, 'Jobs of a worker that died were taken back.');
    } catch (error) {
      this.logger.warn({ err: error }, 'Jobs of dead workers could not be looked for.');
    }
  }
}

/**
 * Apart from JobsModule, and not global, because modules end in the reverse order of their distance and global ones
 * last: the jobs under way still have mail, storage and database.
 */
@Module({ providers: [JobWorker] })
export class JobWorkerModule {}
