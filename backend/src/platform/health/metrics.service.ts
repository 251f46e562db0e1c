import { Injectable, type OnModuleInit } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Clock } from '../clock/clock.js';
import { transactionConflicts } from '../database/transaction-conflicts.js';
import { getPoolUsage } from '../database/pool/connection-pool.js';
import { RequestMetrics } from '../http/observability/request-metrics.js';
import { MetricSources } from './metric-sources.js';

/** How long metrics that query the database are cached, in milliseconds, so that frequent scrapes are cheap. */
const CACHE_MILLISECONDS = 5000;

/** Metrics of this process and of the whole installation, in Prometheus text format. */
@Injectable()
export class MetricsService implements OnModuleInit {
  private readonly registry = new Registry();
  private readonly up = new Gauge({
    name: 'zonary_database_up',
    help: '1 if the metrics that need the database could be read.',
    registers: [this.registry],
  });
  private readonly registered = new Set<object>();
  private refreshed = -Infinity;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly sources: MetricSources,
    private readonly requests: RequestMetrics,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    collectDefaultMetrics({ register: this.registry });
    this.requests.register(this.registry);
    this.registry.registerMetric(createPoolGauge());
    this.registry.registerMetric(transactionConflicts);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /**
   * Returns all metrics. When the database doesn't respond, those that need it keep their last values, and
   * `zonary_database_up` is 0.
   */
  async read(): Promise<string> {
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = null;
    });
    await this.refreshing;
    return this.registry.metrics();
  }

  private async refresh(): Promise<void> {
    // The absolute difference, so that a clock that was set back doesn't keep old values for long.
    if (Math.abs(this.clock.now().getTime() - this.refreshed) < CACHE_MILLISECONDS) return;
    for (const source of this.sources.all) {
      if (this.registered.has(source)) continue;
      this.registered.add(source);
      source.register(this.registry);
    }
    try {
      await Promise.all(this.sources.all.map((source) => source.refresh()));
      this.up.set(1);
    } catch {
      this.up.set(0);
    }
    this.refreshed = this.clock.now().getTime();
  }
}

function createPoolGauge(): Gauge {
  return new Gauge({
    name: 'zonary_database_connections',
    help: 'Database connections of this process, and requests waiting for one.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { used, idle, waiting } = getPoolUsage();
      this.set({ state: 'used' }, used);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}
