import { Global, Module } from '@nestjs/common';
import { RenderingLimits } from './limits/rendering-limits.js';
import { RenderingService } from './rendering.service.js';
import { OfficeService } from './office/office.service.js';
import { FairSchedulerService } from './scheduling/fair-scheduler.service.js';

/** Global, so that it is destroyed after the jobs that render. */
@Global()
@Module({
  providers: [RenderingLimits, FairSchedulerService, RenderingService, OfficeService],
  exports: [FairSchedulerService, RenderingService, OfficeService],
})
export class RenderingModule {}
