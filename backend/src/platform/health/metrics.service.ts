import { Injectable, type OnModuleInit } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Clock } from '../clock/clock.js';
import { transactionConflicts } from '../database/transaction-conflicts.js';
import { getPoolUsage } from '../database/pool/pool-usage.js';
import { RequestMetrics } from '../http/observability/request-metrics.js';
import { MetricSources } from './metric-sources.js';

/** For how long figures that ask the database are shown again, in milliseconds: reading often costs nothing then. */
const CACHE_MILLISECONDS = 5000;

/** The figures of this process, and what all processes share, in the text form of Prometheus. */
@Injectable()
export class MetricsService implements OnModuleInit {
  private readonly registry = new Registry();
  private readonly up = new Gauge({
    name: 'zonary_database_up',
    help: '1 when the figures that need the database could be read.',
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

  /** All figures. When the database does not answer, those that need it stay as they were, and `zonary_database_up` is 0. */
  async read(): Promise<string> {
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = null;
    });
    await this.refreshing;
    return this.registry.metrics();
  }

  private async refresh(): Promise<void> {
    // A clock that was set back must not keep old figures for long.
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
    help: 'Connections of this process to the database, and requests that wait for one.',
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
