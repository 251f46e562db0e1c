import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SECOND } from '../../clock/clock.js';

/** Reconnect delays of browsers, in milliseconds; varied so that they don't all reconnect at once. */
const RETRY_DELAYS = [1000, 1700, 2400, 3100, 3800];

@Injectable()
export class EventStreamTimings {
  /**
   * Milliseconds between two keep-alive comments. Proxies close silent connections after a minute, some after 20
   * seconds.
   */
  keepAliveInterval = 15 * SECOND;
}

/** An open event stream to the frontend. */
export interface EventStream {
  /** Sends an event and ends the response. */
  endWith(event: string): void;
}

/**
 * Server-sent events. An open stream occupies only a connection. Access rights must never depend on an event being
 * delivered. Streams end before the process waits for running requests, which would otherwise never finish.
 */
@Injectable()
export class EventStreamsService implements OnModuleDestroy {
  private readonly responses = new Set<Response>();
  private isStopped = false;
  private keepAliveTimer: NodeJS.Timeout | null = null;

  constructor(private readonly timings: EventStreamTimings) {}

  /** Number of open streams in this process. */
  get openCount(): number {
    return this.responses.size;
  }

  /**
   * Starts the response.
   * @param onEnd called when it has ended, on either side
   * @returns null when no event will follow: for HEAD requests, or while the process is stopping
   */
  openStream(request: Request, response: Response, onEnd: () => void): EventStream | null {
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Otherwise nginx buffers the events.
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

  /** Ends all open streams, and later ones immediately. Clients reconnect, and reach another process. */
  endAll(): void {
    this.isStopped = true;
    for (const response of this.responses) response.end();
  }

  onModuleDestroy(): void {
    this.endAll();
    this.stopKeepAlives();
  }

  /**
   * Sends keep-alives. Skips streams whose client hasn't received the last one; those are closed with other stalled
   * clients.
   */
  private sendKeepAlives(): void {
    for (const response of this.responses) if (response.writableLength === 0) response.write(':\n\n');
  }

  private stopKeepAlives(): void {
    if (this.keepAliveTimer) clearInterval(this.keepAliveTimer);
    this.keepAliveTimer = null;
  }
}

/** Whether a response is an event stream, whose duration says nothing about performance. */
export function isEventStream(response: { getHeader(name: string): unknown }): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
