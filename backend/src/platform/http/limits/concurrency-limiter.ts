import { commonErrors } from '../../errors/common.errors.js';

/** Maximum queue length. At about 30 ms each, the last one waits a second. */
const MAX_QUEUED = 32;
/** Retry-After of rejected requests, in seconds. */
const RETRY_AFTER = 5;

export interface ConcurrencyRules {
  /** Maximum number of tasks that run at the same time. */
  readonly maxConcurrent: number;
  /**
   * Whether each task is followed by a pause of the same duration. For work on the event loop: however much is
   * requested, half of the time is left for everything else.
   */
  readonly pausesBetween?: boolean;
}

/** Limits expensive work: a few tasks run at a time, some more wait, and the rest are rejected with Retry-After. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly rules: ConcurrencyRules) {}

  /**
   * Runs a task when a slot is free.
   * @param maxQueued maximum number of tasks waiting before it; a lower value rejects less important work earlier
   * @throws SERVER_BUSY when too many are waiting
   */
  async run<T>(work: () => T | Promise<T>, maxQueued = MAX_QUEUED): Promise<T> {
    if (this.queue.length >= Math.min(maxQueued, MAX_QUEUED))
      throw commonErrors.SERVER_BUSY({}, { retryAfter: RETRY_AFTER });
    if (this.running >= this.rules.maxConcurrent) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.running++;
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      if (this.rules.pausesBetween) setTimeout(() => this.startNext(), performance.now() - startedAt);
      else this.startNext();
    }
  }

  private startNext(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.running--;
  }
}
