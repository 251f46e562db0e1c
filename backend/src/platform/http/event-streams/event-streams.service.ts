import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SECOND } from '../../clock/clock.js';

/** What a browser waits before it asks again for a stream that broke, in milliseconds: spread, so that not all come at once. */
const RETRIES = [1000, 1700, 2400, 3100, 3800];

/** How often what is open says that it is. */
@Injectable()
export class EventStreamTimings {
  /** Between two comments, in milliseconds: proxies end what is silent for a minute, some after 20 s. */
  comment = 15 * SECOND;
}

/** An answer that goes on, of which the page is told events as they come. */
export interface EventStream {
  /** Tells the page one thing, and nothing more: the answer ends. */
  endWith(event: string): void;
}

/**
 * Server-sent events. An open one holds a connection and nothing else; what is told on it is never what a right depends on.
 * They end before the process lets its requests end, which would else wait for them.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Set<Response>();
  private isStopped = false;
  private reminder: NodeJS.Timeout | null = null;

  constructor(private readonly timings: EventStreamTimings) {}

  /** How many are open in this process. */
  get count(): number {
    return this.open.size;
  }

  /**
   * Begins the answer.
   * @param onEnd when it has ended, whoever ended it
   * @returns null where nothing more will come: only the head was asked for, or the process is about to stop
   */
  begin(request: Request, response: Response, onEnd: () => void): EventStream | null {
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // nginx would else hold back what comes until it fills a buffer.
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD' || this.isStopped) {
      response.end();
      return null;
    }
    response.flushHeaders();
    response.write(`retry: ${RETRIES[this.open.size % RETRIES.length]}\n\n`);
    this.open.add(response);
    response.once('close', () => {
      this.open.delete(response);
      if (this.open.size === 0) this.rest();
      onEnd();
    });
    this.reminder ??= setInterval(() => this.remind(), this.timings.comment).unref();
    return { endWith: (event) => void response.end(`event: ${event}\ndata:\n\n`) };
  }

  /** Ends all that are open, and whatever begins from now on at once. The pages ask again, and find who serves then. */
  stop(): void {
    this.isStopped = true;
    for (const response of this.open) response.end();
  }

  onModuleDestroy(): void {
    this.stop();
    this.rest();
  }

  /** Says on each that it is still there. One whose reader has not taken the last time is left to who ends stalled readers. */
  private remind(): void {
    for (const response of this.open) if (response.writableLength === 0) response.write(':\n\n');
  }

  private rest(): void {
    if (this.reminder) clearInterval(this.reminder);
    this.reminder = null;
  }
}

/** Whether an answer is such a stream: how long it lasts says nothing of how fast it came. */
export function isEventStream(response: { getHeader(name: string): unknown }): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
