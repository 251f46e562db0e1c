import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Announcements } from './announcements.js';
import { EventLoopStalls } from './event-loop-stalls.js';
import { HealthController } from './health.controller.js';
import { MetricSources } from './metric-sources.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { Preparations } from './preparations.js';
import { Readiness } from './readiness.js';
import { ServiceMetrics } from './service-metrics.js';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Announcements, ServiceMetrics, EventLoopStalls, Preparations, Readiness, MetricSources, MetricsService],
  exports: [Announcements, Preparations, Readiness, MetricSources],
})
export class HealthModule {}
