import { Injectable } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';

/** A worker that did not get through to its work for this long is not ready, in milliseconds. */
export const UNHEALTHY_AFTER = 30 * SECOND;

/**
 * Hears of each look for work, and so notices one that never comes back. It beats once everybody who looks has come back
 * from a look since the last beat: a timer would go on beating beside a look that hangs, and so would the looks of others.
 */
@Injectable()
export class WorkerHeartbeat {
  private readonly pollers = new Set<string>();
  private readonly polled = new Set<string>();
  private readonly succeeded = new Set<string>();
  private succeededAt = this.now();
  private onHeartbeatCallback: (() => void) | null = null;

  /** From now on this one looks, again and again. */
  registerPoller(poller: string): void {
    this.pollers.add(poller);
  }

  /**
   * A look came back.
   * @param gotThrough false when it failed: then the worker is not stuck, and not ready either
   */
  recordPoll(poller: string, isSuccessful: boolean): void {
    this.polled.add(poller);
    if (isSuccessful) this.succeeded.add(poller);
    if (this.completeRound(this.polled)) this.onHeartbeatCallback?.();
    if (this.completeRound(this.succeeded)) this.succeededAt = this.now();
  }

  /** Who is to hear each beat. */
  onHeartbeat(callback: () => void): void {
    this.onHeartbeatCallback = callback;
  }

  /** Milliseconds since everybody got through to the work; at first since the start. */
  get millisecondsSinceSuccess(): number {
    return this.now() - this.succeededAt;
  }

  get isHealthy(): boolean {
    return this.millisecondsSinceSuccess < UNHEALTHY_AFTER;
  }

  /** Set by tests. */
  protected now(): number {
    return performance.now();
  }

  /** Whether all are there; they begin anew then. */
  private completeRound(reported: Set<string>): boolean {
    for (const poller of this.pollers) if (!reported.has(poller)) return false;
    reported.clear();
    return true;
  }
}
