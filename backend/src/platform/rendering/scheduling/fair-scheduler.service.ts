import { Injectable } from '@nestjs/common';
import { Clock, HOUR, MINUTE, SECOND } from '../../clock/clock.js';

/** What an owner's documents may take before they wait behind those of others; each doubling puts them one place back. */
const FREE_MILLISECONDS = 30 * SECOND;
/** After so long, half of what was taken is forgotten. */
const HALF_LIFE = 10 * MINUTE;
/** Work that a neighbour has kept from being done, at every try, is tried again after so long. */
const RETRY_DELAY = HOUR;
/** Less is forgotten altogether, in milliseconds. */
const NEGLIGIBLE = 100;

interface OwnerUsage {
  readonly milliseconds: number;
  /** When that was true, in milliseconds. */
  readonly at: number;
}

/**
 * What drawing the documents of each owner has taken in this process lately, so that whoever has a thousand of them, or
 * ones that take ten seconds a page, keeps nobody else waiting. Only an order is made of it, nothing is refused: so
 * the memory of one process is enough, and an end of it does no harm.
 */
@Injectable()
export class FairSchedulerService {
  private readonly usageByOwner = new Map<number, OwnerUsage>();

  constructor(private readonly clock: Clock) {}

  /** Milliseconds that count for an owner now. */
  usageOf(owner: number): number {
    const use = this.usageByOwner.get(owner);
    if (!use) return 0;
    return use.milliseconds * 2 ** ((use.at - this.clock.now().getTime()) / HALF_LIFE);
  }

  /** How far back an owner's documents wait: 0 for most, one more for each doubling of what they took. */
  penaltyOf(owner: number): number {
    const used = this.usageOf(owner);
    return used < FREE_MILLISECONDS ? 0 : 1 + Math.floor(Math.log2(used / FREE_MILLISECONDS));
  }

  /** When work is tried again that a neighbour has kept from being done. */
  retryAt(): Date {
    return new Date(this.clock.now().getTime() + RETRY_DELAY);
  }

  /** Counts what a work takes, however it ends. */
  async measure<T>(owner: number, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.recordUsage(owner, performance.now() - begun);
    }
  }

  /** Counts time that was taken. */
  recordUsage(owner: number, milliseconds: number): void {
    const at = this.clock.now().getTime();
    this.usageByOwner.set(owner, { milliseconds: this.usageOf(owner) + milliseconds, at });
    for (const other of this.usageByOwner.keys()) if (this.usageOf(other) < NEGLIGIBLE) this.usageByOwner.delete(other);
  }
}
