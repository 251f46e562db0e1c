import { Injectable } from '@nestjs/common';

/** Timer interval, and how late a tick may be, in milliseconds. */
const TICK_INTERVAL = 500;
const MAX_TICK_DELAY = 5000;
/** How long a process stays not ready after a stall, in milliseconds, so that it answers waiting requests first. */
const RECOVERY_TIME = 5000;

/**
 * Detects stalls of this process (a long computation, a suspended machine, memory pressure) by late ticks. A readiness
 * check during the stall gets no response; a check right after it learns of the stall.
 */
export class StallDetector {
  private tickedAt = performance.now();
  private stalledAt = -Infinity;

  constructor() {
    setInterval(() => this.tick(), TICK_INTERVAL).unref();
  }

  /** Discards earlier stalls, such as during the start, when no request was waiting. */
  reset(): void {
    this.tickedAt = performance.now();
    this.stalledAt = -Infinity;
  }

  /** True for five seconds after a stall, even if its late tick has not run yet. */
  get hasRecentStall(): boolean {
    this.tick();
    return performance.now() - this.stalledAt < RECOVERY_TIME;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.tickedAt > TICK_INTERVAL + MAX_TICK_DELAY) this.stalledAt = now;
    this.tickedAt = now;
  }
}

/** Whether this process accepts new requests. A stopping process tells the load balancer before it closes. */
@Injectable()
export class Readiness {
  isStopping = false;
  private readonly drainController = new AbortController();
  private readonly stallDetector = new StallDetector();

  /** Aborted when the process starts draining. Operations that can resume elsewhere listen to it and stop. */
  get draining(): AbortSignal {
    return this.drainController.signal;
  }

  /** Called once the process listens. Stalls during the start delay no requests. */
  markListening(): void {
    this.stallDetector.reset();
  }

  /** Makes the process not ready, and aborts `draining`. */
  drain(): void {
    this.isStopping = true;
    this.drainController.abort();
  }

  /** False while the process stops, and for a while after a stall. */
  get isReady(): boolean {
    return !this.isStopping && !this.stallDetector.hasRecentStall;
  }
}
