import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { MetricSources, type MetricSource } from '../../platform/health/metric-sources.js';
import { retentionPolicies } from './retention-policies.sql.js';
import { RemovalRepository } from './removal.repository.js';

/** Metrics: how much has been removed by retention policies, and whether they work. */
@Injectable()
export class RemovalMetrics implements MetricSource, OnModuleInit {
  private readonly removed = new Gauge({
    name: 'zonary_retention_removed',
    help: 'Rows deleted after their retention period (for bodies and addresses: fields cleared), by kind.',
    labelNames: ['kind'],
    registers: [],
  });
  private readonly failing = new Gauge({
    name: 'zonary_retention_failing',
    help: '1 if the last deletion of expired data failed, by kind.',
    labelNames: ['kind'],
    registers: [],
  });

  constructor(
    private readonly removals: RemovalRepository,
    private readonly sources: MetricSources,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.removed);
    registry.registerMetric(this.failing);
  }

  async refresh(): Promise<void> {
    const removals = await this.removals.findRemovals();
    for (const { name: kind } of retentionPolicies) {
      const removal = removals.get(kind);
      this.removed.set({ kind }, removal?.removed ?? 0);
      this.failing.set({ kind }, removal?.hasFailed ? 1 : 0);
    }
  }
}
