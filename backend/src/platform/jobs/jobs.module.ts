import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import type { AppConfig } from '../config/app-config.js';
import { CronScheduler } from './cron/cron-scheduler.js';
import { ClockRun, Job } from './job.entity.js';
import { DecoratedMethodExplorer } from './decorated-method-explorer.js';
import { JobHandlerRegistry } from './job-handler-registry.js';
import { InProcessTransport, JobTransport } from './in-process.transport.js';
import { JobAdminService } from './job-admin.service.js';
import { JobRunner } from './running/job-runner.js';
import { JobNotifier } from './job-notifier.js';
import { JobRepository } from './job.repository.js';
import { JobTimings } from './running/job-timings.js';
import { JobWorkerModule } from './running/job-worker.js';
import { WorkerHeartbeat } from './running/worker-heartbeat.js';
import { JobsService } from './jobs.service.js';

/** Entities are named here, once: what a second call would register pushes out those of the other modules. */
@Module({
  imports: [MikroOrmModule.forFeature([Job, ClockRun]), DiscoveryModule, ScheduleModule.forRoot(), JobWorkerModule],
  providers: [
    ...[
      CronScheduler,
      JobHandlerRegistry,
      JobAdminService,
      JobsService,
      JobRunner,
      JobNotifier,
      JobRepository,
      JobTimings,
    ],
    ...[DecoratedMethodExplorer, WorkerHeartbeat],
  ],
  exports: [
    CronScheduler,
    JobAdminService,
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
  /** Workers hear of due jobs through Redis when there is one; everybody else only writes and reads rows. */
  static async with({ redisUrl, role }: AppConfig): Promise<DynamicModule> {
    const common = { module: JobsModule, global: true, exports: [JobTransport] };
    if (redisUrl === null || role !== 'worker') {
      return { ...common, providers: [{ provide: JobTransport, useClass: InProcessTransport }] };
    }
    // Loaded only where they are used: Bull and its client take megabytes.
    const { createBullModule, bullQueuesProvider } = await import('./bull/bull-queues.js');
    const { BullTransport } = await import('./bull/bull.transport.js');
    return {
      ...common,
      imports: [createBullModule(redisUrl)],
      providers: [InProcessTransport, bullQueuesProvider, { provide: JobTransport, useClass: BullTransport }],
    };
  }
}
