import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { MetricSources, type MetricSource } from '../../../platform/health/metric-sources.js';
import { ReportRepository } from './report.repository.js';

/** Exposes the results of campaign emails as metrics. */
@Injectable()
export class DeliveryMetrics implements MetricSource, OnModuleInit {
  private readonly deliveries = new Gauge({
    name: 'zonary_campaign_deliveries',
    help: "Campaign emails since the installation, by state; pending ones haven't been attempted yet.",
    labelNames: ['state'],
    registers: [],
  });

  constructor(
    private readonly reports: ReportRepository,
    private readonly sources: MetricSources,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.deliveries);
  }

  async refresh(): Promise<void> {
    const counts = await this.reports.countByState();
    for (const [state, count] of Object.entries(counts)) this.deliveries.set({ state }, count);
  }
}
