import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counter, Histogram, type Registry } from 'prom-client';
import { MetricSources, type MetricSource } from './metric-sources.js';

/** How often the process looks at the clock, in milliseconds. */
const BEAT = 100;
/** A beat this late, in milliseconds, is a stall: nobody was answered meanwhile. */
const STALL = 200;

/** How often, and for how long, one piece of work kept this process from all others. */
@Injectable()
export class EventLoopStalls implements MetricSource, OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly stalls = new Counter({
    name: 'zonary_event_loop_stalls_total',
    help: 'Times that the process did nothing else for more than 200 ms.',
    registers: [],
  });
  private readonly durations = new Histogram({
    name: 'zonary_event_loop_stall_seconds',
    help: 'How long those times were.',
    buckets: [0.2, 0.5, 1, 2, 5, 10, 30, 60],
    registers: [],
  });
  private beat: NodeJS.Timeout | null = null;
  private expected = 0;

  constructor(private readonly sources: MetricSources) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  /** From when the process serves: what starting costs is no stall of anybody. */
  onApplicationBootstrap(): void {
    this.expected = performance.now() + BEAT;
    this.beat = setInterval(() => this.look(), BEAT).unref();
  }

  onModuleDestroy(): void {
    if (this.beat) clearInterval(this.beat);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.stalls);
    registry.registerMetric(this.durations);
  }

  /** They are counted as it happens. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  private look(): void {
    const now = performance.now();
    const late = now - this.expected;
    this.expected = now + BEAT;
    if (late <= STALL) return;
    this.stalls.inc();
    this.durations.observe(late / 1000);
  }
}
