import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { JobMetrics } from './job-metrics.js';
import { MetricSources } from './metric-sources.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { Readiness } from './readiness.js';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Readiness, MetricSources, JobMetrics, MetricsService],
  exports: [Readiness, MetricSources],
})
export class HealthModule {}
