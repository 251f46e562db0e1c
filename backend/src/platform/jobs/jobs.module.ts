import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import type { AppConfig } from '../config/app-config.js';
import { ClockJobs } from './clock-jobs.js';
import { ClockRun } from './clock-run.entity.js';
import { HandlerRegistry } from './handler-registry.js';
import { InProcessTransport } from './in-process.transport.js';
import { Job } from './job.entity.js';
import { JobDesk } from './job-desk.service.js';
import { JobRunner } from './job-runner.js';
import { JobSignal } from './job-signal.js';
import { JobStore } from './job-store.js';
import { JobTimings } from './job-timings.js';
import { JobTransport } from './job-transport.js';
import { JobWorkerModule } from './job-worker.js';
import { Jobs } from './jobs.service.js';
import { PurgeClockRunsHandler } from './purge-clock-runs.handler.js';

/** Entities are named here, once: what a second call would register pushes out those of the other modules. */
@Module({
  imports: [MikroOrmModule.forFeature([Job, ClockRun]), DiscoveryModule, ScheduleModule.forRoot(), JobWorkerModule],
  providers: [
    ...[ClockJobs, HandlerRegistry, JobDesk, Jobs, JobRunner, JobSignal, JobStore, JobTimings],
    PurgeClockRunsHandler,
  ],
  exports: [ClockJobs, JobDesk, Jobs, JobRunner, JobSignal, JobStore, JobTimings],
})
export class JobsModule {
  /** Workers hear of due jobs through Redis when there is one; everybody else only writes and reads rows. */
  static async with({ redisUrl, role }: AppConfig): Promise<DynamicModule> {
    const common = { module: JobsModule, global: true, exports: [JobTransport] };
    if (redisUrl === null || role !== 'worker') {
      return { ...common, providers: [{ provide: JobTransport, useClass: InProcessTransport }] };
    }
    // Loaded only where they are used: Bull and its client take megabytes.
    const { bullModule, bullQueuesProvider } = await import('./bull-queues.js');
    const { BullTransport } = await import('./bull.transport.js');
    return {
      ...common,
      imports: [bullModule(redisUrl)],
      providers: [InProcessTransport, bullQueuesProvider, { provide: JobTransport, useClass: BullTransport }],
    };
  }
}
