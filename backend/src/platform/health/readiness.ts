import { Injectable } from '@nestjs/common';

/** How often the clock ticks, and how late a tick may come, in milliseconds. */
const TICK = 500;
const LATE = 5000;
/** For how long a process that stood still sends requests elsewhere: what had waited is answered first. */
const REST = 5000;

/**
 * Notices when this process stood still (one long computation, a machine that was put to sleep, no memory left): a tick
 * comes late then. Whoever asks during the standstill gets no answer, and after it the truth.
 */
export class StallClock {
  private tickedAt = performance.now();
  private stalledAt = -Infinity;

  constructor() {
    setInterval(() => this.tick(), TICK).unref();
  }

  /** Forgets what was before, such as a long start, which no request has waited for. */
  restart(): void {
    this.tickedAt = performance.now();
    this.stalledAt = -Infinity;
  }

  /** True for five seconds after a standstill, also when its tick has not come yet. */
  get stoodStill(): boolean {
    this.tick();
    return performance.now() - this.stalledAt < REST;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.tickedAt > TICK + LATE) this.stalledAt = now;
    this.tickedAt = now;
  }
}

/** Whether this process wants requests; a stopping one tells the balancer before it closes. */
@Injectable()
export class Readiness {
  stopping = false;
  private readonly end = new AbortController();
  private readonly stalls = new StallClock();

  /** Aborted when nothing new is taken any more: what can be taken up again elsewhere breaks off then. */
  get draining(): AbortSignal {
    return this.end.signal;
  }

  /** Called once the process listens: what stood still while it started delayed nobody. */
  begin(): void {
    this.stalls.restart();
  }

  /** Says from now on that the process is not ready, and ends what waits for `draining`. */
  drain(): void {
    this.stopping = true;
    this.end.abort();
  }

  /** False while it stops, and for a while after it stood still. */
  get isReady(): boolean {
    return !this.stopping && !this.stalls.stoodStill;
  }
}
