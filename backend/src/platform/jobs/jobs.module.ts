import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import type { AppConfig } from '../config/app-config.js';
import { CronRunRepository } from './cron/cron-run.repository.js';
import { CronScheduler } from './cron/cron-scheduler.js';
import { ClockRun, Job } from './job.entity.js';
import { DecoratedMethodExplorer } from './decorated-method-explorer.js';
import { JobHandlerRegistry } from './job-handler-registry.js';
import { InProcessTransport, JobTransport } from './in-process.transport.js';
import { JobRunner } from './running/job-runner.js';
import { JobNotifier } from './job-notifier.js';
import { JobRepository } from './job.repository.js';
import { JobTimings } from './running/job-timings.js';
import { JobWorkerModule } from './running/job-worker.js';
import { WorkerHeartbeat } from './running/worker-heartbeat.js';
import { JobsService } from './jobs.service.js';

/** The entities are registered only here: a second `forFeature` call would displace those of other modules. */
@Module({
  imports: [MikroOrmModule.forFeature([Job, ClockRun]), DiscoveryModule, ScheduleModule.forRoot(), JobWorkerModule],
  providers: [
    CronRunRepository,
    CronScheduler,
    JobHandlerRegistry,
    JobsService,
    JobRunner,
    JobNotifier,
    JobRepository,
    JobTimings,
    DecoratedMethodExplorer,
    WorkerHeartbeat,
  ],
  exports: [
    CronScheduler,
    JobsService,
    JobRunner,
    JobNotifier,
    JobRepository,
    JobTimings,
    DecoratedMethodExplorer,
    WorkerHeartbeat,
  ],
})
export class JobsModule {
  /** Workers receive due jobs through Redis if it is configured; all other processes only use the database. */
  static async with({ redisUrl, role }: AppConfig): Promise<DynamicModule> {
    const common = { module: JobsModule, global: true, exports: [JobTransport] };
    if (redisUrl === null || role !== 'worker') {
      return { ...common, providers: [{ provide: JobTransport, useClass: InProcessTransport }] };
    }
    // Imported only where needed, because Bull and its client use several megabytes of memory.
    const { createBullModule, bullQueuesProvider } = await import('./bull/bull-queues.js');
    const { BullTransport } = await import('./bull/bull.transport.js');
    return {
      ...common,
      imports: [createBullModule(redisUrl)],
      providers: [InProcessTransport, bullQueuesProvider, { provide: JobTransport, useClass: BullTransport }],
    };
  }
}
