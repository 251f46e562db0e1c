import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { ClockJobs } from './clock-jobs.js';
import { ClockRun } from './clock-run.entity.js';
import { HandlerRegistry } from './handler-registry.js';
import { InProcessTransport } from './in-process.transport.js';
import { Job } from './job.entity.js';
import { JobRunner } from './job-runner.js';
import { JobSignal } from './job-signal.js';
import { JobStore } from './job-store.js';
import { JobTimings } from './job-timings.js';
import { JobTransport } from './job-transport.js';
import { JobWorkerModule } from './job-worker.js';
import { Jobs } from './jobs.service.js';
import { PurgeClockRunsHandler } from './purge-clock-runs.handler.js';

@Global()
@Module({
  imports: [MikroOrmModule.forFeature([Job, ClockRun]), DiscoveryModule, ScheduleModule.forRoot(), JobWorkerModule],
  providers: [
    ClockJobs,
    HandlerRegistry,
    Jobs,
    JobRunner,
    JobSignal,
    JobStore,
    JobTimings,
    PurgeClockRunsHandler,
    { provide: JobTransport, useClass: InProcessTransport },
  ],
  exports: [ClockJobs, Jobs, JobRunner, JobStore, JobTimings, JobTransport],
})
export class JobsModule {}
