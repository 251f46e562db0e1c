import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import type { AppConfig } from '../config/app-config.js';
import { ClockJobs } from './clock/clock-jobs.js';
import { ClockRun, Job } from './job.entity.js';
import { MarkedMethods } from './marked-methods.js';
import { HandlerRegistry } from './handler-registry.js';
import { InProcessTransport, JobTransport } from './in-process.transport.js';
import { JobDesk } from './job-desk.service.js';
import { JobRunner } from './running/job-runner.js';
import { JobSignal } from './job-signal.js';
import { JobStore } from './job-store.js';
import { JobTimings } from './running/job-timings.js';
import { JobWorkerModule } from './running/job-worker.js';
import { WorkerPulse } from './running/worker-pulse.js';
import { Jobs } from './jobs.service.js';

/** Entities are named here, once: what a second call would register pushes out those of the other modules. */
@Module({
  imports: [MikroOrmModule.forFeature([Job, ClockRun]), DiscoveryModule, ScheduleModule.forRoot(), JobWorkerModule],
  providers: [
    ...[ClockJobs, HandlerRegistry, JobDesk, Jobs, JobRunner, JobSignal, JobStore, JobTimings],
    ...[MarkedMethods, WorkerPulse],
  ],
  exports: [ClockJobs, JobDesk, Jobs, JobRunner, JobSignal, JobStore, JobTimings, MarkedMethods, WorkerPulse],
})
export class JobsModule {
  /** Workers hear of due jobs through Redis when there is one; everybody else only writes and reads rows. */
  static async with({ redisUrl, role }: AppConfig): Promise<DynamicModule> {
    const common = { module: JobsModule, global: true, exports: [JobTransport] };
    if (redisUrl === null || role !== 'worker') {
      return { ...common, providers: [{ provide: JobTransport, useClass: InProcessTransport }] };
    }
    // Loaded only where they are used: Bull and its client take megabytes.
    const { bullModule, bullQueuesProvider } = await import('./bull/bull-queues.js');
    const { BullTransport } = await import('./bull/bull.transport.js');
    return {
      ...common,
      imports: [bullModule(redisUrl)],
      providers: [InProcessTransport, bullQueuesProvider, { provide: JobTransport, useClass: BullTransport }],
    };
  }
}
