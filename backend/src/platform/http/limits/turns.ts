import { commonErrors } from '../../errors/common.errors.js';

/** More than these wait for their turn in vain: at some 30 ms each, a second is what people bear. */
const MOST_WAITING = 32;
/** Seconds after which to come again. */
const BUSY_FOR = 5;

export interface TurnRules {
  /** Pieces of work that are done at the same time. */
  readonly atOnce: number;
  /**
   * Whether as long a pause follows each piece as it took: for work on the event loop, of which half stays for all else
   * that way, however much is asked for.
   */
  readonly pauses?: boolean;
}

/** Work that is dear: a few pieces at a time, some more wait, and who comes beyond those is asked to come again. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly rules: TurnRules) {}

  /**
   * Does a piece of work when it is its turn.
   * @param most how many may wait before it; work that matters less stands back before the rest is refused
   * @throws SERVER_BUSY when too many wait
   */
  async run<T>(work: () => T | Promise<T>, most = MOST_WAITING): Promise<T> {
    if (this.waiting.length >= Math.min(most, MOST_WAITING))
      throw commonErrors.SERVER_BUSY({}, { retryAfter: BUSY_FOR });
    if (this.running >= this.rules.atOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    const begun = performance.now();
    try {
      return await work();
    } finally {
      if (this.rules.pauses) setTimeout(() => this.pass(), performance.now() - begun);
      else this.pass();
    }
  }

  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }
}
