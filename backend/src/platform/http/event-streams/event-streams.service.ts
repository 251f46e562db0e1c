import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SECOND } from '../../clock/clock.js';

/** What a browser waits before it asks again for a stream that broke, in milliseconds: spread, so that not all come at once. */
const RETRY_DELAYS = [1000, 1700, 2400, 3100, 3800];

/** How often what is open says that it is. */
@Injectable()
export class EventStreamTimings {
  /** Between two comments, in milliseconds: proxies end what is silent for a minute, some after 20 s. */
  keepAliveInterval = 15 * SECOND;
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
export class EventStreamsService implements OnModuleDestroy {
  private readonly responses = new Set<Response>();
  private isStopped = false;
  private keepAliveTimer: NodeJS.Timeout | null = null;

  constructor(private readonly timings: EventStreamTimings) {}

  /** How many are open in this process. */
  get openCount(): number {
    return this.responses.size;
  }

  /**
   * Begins the answer.
   * @param onEnd when it has ended, whoever ended it
   * @returns null where nothing more will come: only the head was asked for, or the process is about to stop
   */
  openStream(request: Request, response: Response, onEnd: () => void): EventStream | null {
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
    response.write(`retry: ${RETRY_DELAYS[this.responses.size % RETRY_DELAYS.length]}\n\n`);
    this.responses.add(response);
    response.once('close', () => {
      this.responses.delete(response);
      if (this.responses.size === 0) this.stopKeepAlives();
      onEnd();
    });
    this.keepAliveTimer ??= setInterval(() => this.sendKeepAlives(), this.timings.keepAliveInterval).unref();
    return { endWith: (event) => void response.end(`event: ${event}\ndata:\n\n`) };
  }

  /** Ends all that are open, and whatever begins from now on at once. The pages ask again, and find who serves then. */
  endAll(): void {
    this.isStopped = true;
    for (const response of this.responses) response.end();
  }

  onModuleDestroy(): void {
    this.endAll();
    this.stopKeepAlives();
  }

  /** Says on each that it is still there. One whose reader has not taken the last time is left to who ends stalled readers. */
  private sendKeepAlives(): void {
    for (const response of this.responses) if (response.writableLength === 0) response.write(':\n\n');
  }

  private stopKeepAlives(): void {
    if (this.keepAliveTimer) clearInterval(this.keepAliveTimer);
    this.keepAliveTimer = null;
  }
}

/** Whether an answer is such a stream: how long it lasts says nothing of how fast it came. */
export function isEventStream(response: { getHeader(name: string): unknown }): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
