import { commonErrors } from '../../errors/common.errors.js';

/** More than these wait for their turn in vain: at some 30 ms each, a second is what people bear. */
const MAX_QUEUED = 32;
/** Seconds after which to come again. */
const RETRY_AFTER = 5;

export interface ConcurrencyRules {
  /** Pieces of work that are done at the same time. */
  readonly maxConcurrent: number;
  /**
   * Whether as long a pause follows each piece as it took: for work on the event loop, of which half stays for all else
   * that way, however much is asked for.
   */
  readonly pausesBetween?: boolean;
}

/** Work that is dear: a few pieces at a time, some more wait, and who comes beyond those is asked to come again. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly rules: ConcurrencyRules) {}

  /**
   * Does a piece of work when it is its turn.
   * @param most how many may wait before it; work that matters less stands back before the rest is refused
   * @throws SERVER_BUSY when too many wait
   */
  async run<T>(work: () => T | Promise<T>, maxQueued = MAX_QUEUED): Promise<T> {
    if (this.queue.length >= Math.min(maxQueued, MAX_QUEUED))
      throw commonErrors.SERVER_BUSY({}, { retryAfter: RETRY_AFTER });
    if (this.running >= this.rules.maxConcurrent) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.running++;
    const begun = performance.now();
    try {
      return await work();
    } finally {
      if (this.rules.pausesBetween) setTimeout(() => this.startNext(), performance.now() - begun);
      else this.startNext();
    }
  }

  private startNext(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.running--;
  }
}
