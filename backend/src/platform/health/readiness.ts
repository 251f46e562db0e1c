import { Injectable } from '@nestjs/common';

/** How often the clock ticks, and how late a tick may come, in milliseconds. */
const TICK_INTERVAL = 500;
const MAX_TICK_DELAY = 5000;
/** For how long a process that stood still sends requests elsewhere: what had waited is answered first. */
const RECOVERY_TIME = 5000;

/**
 * Notices when this process stood still (one long computation, a machine that was put to sleep, no memory left): a tick
 * comes late then. Whoever asks during the standstill gets no answer, and after it the truth.
 */
export class StallDetector {
  private tickedAt = performance.now();
  private stalledAt = -Infinity;

  constructor() {
    setInterval(() => this.tick(), TICK_INTERVAL).unref();
  }

  /** Forgets what was before, such as a long start, which no request has waited for. */
  reset(): void {
    this.tickedAt = performance.now();
    this.stalledAt = -Infinity;
  }

  /** True for five seconds after a standstill, also when its tick has not come yet. */
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

/** Whether this process wants requests; a stopping one tells the balancer before it closes. */
@Injectable()
export class Readiness {
  isStopping = false;
  private readonly drainController = new AbortController();
  private readonly stallDetector = new StallDetector();

  /** Aborted when nothing new is taken any more: what can be taken up again elsewhere breaks off then. */
  get draining(): AbortSignal {
    return this.drainController.signal;
  }

  /** Called once the process listens: what stood still while it started delayed nobody. */
  markListening(): void {
    this.stallDetector.reset();
  }

  /** Says from now on that the process is not ready, and ends what waits for `draining`. */
  drain(): void {
    this.isStopping = true;
    this.drainController.abort();
  }

  /** False while it stops, and for a while after it stood still. */
  get isReady(): boolean {
    return !this.isStopping && !this.stallDetector.hasRecentStall;
  }
}
