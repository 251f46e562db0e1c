import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';

/** Something that has figures of its own: adds its metrics once, and brings them up to date before each reading. */
export interface MetricSource {
  register(registry: Registry): void;
  /** Called at most once in five seconds, whoever reads. */
  refresh(): Promise<void>;
}

/** Where modules bring the figures that /metrics shows. */
@Injectable()
export class MetricSources {
  readonly all: MetricSource[] = [];

  add(source: MetricSource): void {
    this.all.push(source);
  }
}
