import { Injectable } from '@nestjs/common';
import { SECOND } from '../../clock/clock.js';

/** A worker without a successful poll for this long is unhealthy, in milliseconds. */
export const UNHEALTHY_AFTER = 30 * SECOND;

/**
 * Emits a heartbeat after every poller has completed a poll since the last one. This detects polls that hang; a timer
 * would keep beating, and so would the polls of other queues.
 */
@Injectable()
export class WorkerHeartbeat {
  private readonly pollers = new Set<string>();
  private readonly polled = new Set<string>();
  private readonly succeeded = new Set<string>();
  private succeededAt = this.now();
  private onHeartbeatCallback: (() => void) | null = null;

  /** Adds a poller that must report for each heartbeat. */
  registerPoller(poller: string): void {
    this.pollers.add(poller);
  }

  /**
   * Records a completed poll.
   * @param isSuccessful false when the poll failed: the worker isn't stuck, but isn't healthy either
   */
  recordPoll(poller: string, isSuccessful: boolean): void {
    this.polled.add(poller);
    if (isSuccessful) this.succeeded.add(poller);
    if (this.completeRound(this.polled)) this.onHeartbeatCallback?.();
    if (this.completeRound(this.succeeded)) this.succeededAt = this.now();
  }

  /** Sets the callback for heartbeats. */
  onHeartbeat(callback: () => void): void {
    this.onHeartbeatCallback = callback;
  }

  /** Milliseconds since the last round in which all polls succeeded, or since the start. */
  get millisecondsSinceSuccess(): number {
    return this.now() - this.succeededAt;
  }

  get isHealthy(): boolean {
    return this.millisecondsSinceSuccess < UNHEALTHY_AFTER;
  }

  /** Overridden by tests. */
  protected now(): number {
    return performance.now();
  }

  /** Returns whether all pollers have reported, and if so starts a new round. */
  private completeRound(reported: Set<string>): boolean {
    for (const poller of this.pollers) if (!reported.has(poller)) return false;
    reported.clear();
    return true;
  }
}
