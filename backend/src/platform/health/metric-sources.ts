import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';

/** A source of metrics: registers them once, and refreshes them before each scrape. */
export interface MetricSource {
  register(registry: Registry): void;
  /** Called at most once every five seconds. */
  refresh(): Promise<void>;
}

/** Registry to which modules add their metrics for /metrics. */
@Injectable()
export class MetricSources {
  readonly all: MetricSource[] = [];

  add(source: MetricSource): void {
    this.all.push(source);
  }
}
