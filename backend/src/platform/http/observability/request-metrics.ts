import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { EventStreamsService, isEventStream } from '../event-streams/event-streams.service.js';

const NANOSECONDS = 1e9;
/** Known methods only, so that invented ones don't create new series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Request durations by route pattern; paths contain tokens and are unlimited in number. */
@Injectable()
export class RequestMetrics {
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  });

  private readonly streams: Gauge;

  constructor(streams: EventStreamsService) {
    this.streams = new Gauge({
      name: 'zonary_event_streams_open',
      help: 'Open event streams of this process.',
      registers: [],
      collect() {
        this.set(streams.openCount);
      },
    });
  }

  register(registry: Registry): void {
    registry.registerMetric(this.durations);
    registry.registerMetric(this.streams);
  }

  /**
   * Measures every request; uploads and downloads to their end. Event streams are excluded, because clients decide how
   * long they last.
   */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = process.hrtime.bigint();
    response.once('close', () => {
      if (isEventStream(response)) return;
      const seconds = Number(process.hrtime.bigint() - startedAt) / NANOSECONDS;
      const method = METHODS.has(request.method) ? request.method : 'other';
      const route = (request as { route?: { path?: string } }).route?.path ?? 'page or none';
      this.durations.observe({ method, route, status: `${Math.floor(response.statusCode / 100)}xx` }, seconds);
    });
    next();
  };
}
