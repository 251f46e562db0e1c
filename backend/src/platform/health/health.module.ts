import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { StartupMessages } from './startup-messages.js';
import { EventLoopStallMetrics } from './event-loop-stall-metrics.js';
import { HealthController } from './health.controller.js';
import { MetricSources } from './metric-sources.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { WarmupTasks } from './warmup-tasks.js';
import { Readiness } from './readiness.js';
import { ServiceMetrics } from './service-metrics.js';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [
    StartupMessages,
    ServiceMetrics,
    EventLoopStallMetrics,
    WarmupTasks,
    Readiness,
    MetricSources,
    MetricsService,
  ],
  exports: [StartupMessages, WarmupTasks, Readiness, MetricSources],
})
export class HealthModule {}
