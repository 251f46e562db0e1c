import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counter, Histogram, type Registry } from 'prom-client';
import { MetricSources, type MetricSource } from './metric-sources.js';

/** How often the delay is measured, in milliseconds. */
const TICK_INTERVAL = 100;
/** A tick this late, in milliseconds, counts as a stall: no request was processed in the meantime. */
const STALL_THRESHOLD = 200;

/** Metrics on how often and how long the event loop was blocked. */
@Injectable()
export class EventLoopStallMetrics implements MetricSource, OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly stalls = new Counter({
    name: 'zonary_event_loop_stalls_total',
    help: 'Times that one task blocked the event loop for more than 200 ms.',
    registers: [],
  });
  private readonly durations = new Histogram({
    name: 'zonary_event_loop_stall_seconds',
    help: 'Duration of event loop stalls.',
    buckets: [0.2, 0.5, 1, 2, 5, 10, 30, 60],
    registers: [],
  });
  private timer: NodeJS.Timeout | null = null;
  private expected = 0;

  constructor(private readonly sources: MetricSources) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  /** Starts when the process is ready to serve, because stalls during the start affect no requests. */
  onApplicationBootstrap(): void {
    this.expected = performance.now() + TICK_INTERVAL;
    this.timer = setInterval(() => this.recordStall(), TICK_INTERVAL).unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.stalls);
    registry.registerMetric(this.durations);
  }

  /** Nothing to refresh: stalls are counted as they happen. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  private recordStall(): void {
    const now = performance.now();
    const delay = now - this.expected;
    this.expected = now + TICK_INTERVAL;
    if (delay <= STALL_THRESHOLD) return;
    this.stalls.inc();
    this.durations.observe(delay / 1000);
  }
}
