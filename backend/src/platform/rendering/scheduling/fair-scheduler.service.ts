import { Injectable } from '@nestjs/common';
import { Clock, HOUR, MINUTE, SECOND } from '../../clock/clock.js';

/**
 * Rendering time, in milliseconds, that an owner may use before others are preferred; each doubling lowers the priority
 * by one.
 */
const FREE_MILLISECONDS = 30 * SECOND;
/** Half-life of the recorded usage, in milliseconds. */
const HALF_LIFE = 10 * MINUTE;
/** Delay before retrying work that failed on all attempts because of an external service, in milliseconds. */
const RETRY_DELAY = HOUR;
/** Less usage is forgotten, in milliseconds. */
const NEGLIGIBLE = 100;

interface OwnerUsage {
  readonly milliseconds: number;
  /** Timestamp of the measurement, in milliseconds. */
  readonly at: number;
}

/**
 * Tracks the recent rendering time per owner in this process, so that an owner with thousands of documents, or slow
 * ones, doesn't delay others. It only affects the order, and nothing is rejected. So keeping it in the memory of one
 * process is enough, and losing it is harmless.
 */
@Injectable()
export class FairSchedulerService {
  private readonly usageByOwner = new Map<number, OwnerUsage>();

  constructor(private readonly clock: Clock) {}

  /** Returns the owner's current usage, in milliseconds. */
  usageOf(owner: number): number {
    const use = this.usageByOwner.get(owner);
    if (!use) return 0;
    return use.milliseconds * 2 ** ((use.at - this.clock.now().getTime()) / HALF_LIFE);
  }

  /** Returns the priority penalty of an owner: 0 for most, plus one for each doubling of the usage. */
  penaltyOf(owner: number): number {
    const used = this.usageOf(owner);
    return used < FREE_MILLISECONDS ? 0 : 1 + Math.floor(Math.log2(used / FREE_MILLISECONDS));
  }

  /** When to retry work that failed because of an external service. */
  retryAt(): Date {
    return new Date(this.clock.now().getTime() + RETRY_DELAY);
  }

  /** Records the duration of `work`, whether or not it succeeds. */
  async measure<T>(owner: number, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.recordUsage(owner, performance.now() - startedAt);
    }
  }

  /** Adds to the usage of an owner. */
  recordUsage(owner: number, milliseconds: number): void {
    const at = this.clock.now().getTime();
    this.usageByOwner.set(owner, { milliseconds: this.usageOf(owner) + milliseconds, at });
    for (const other of this.usageByOwner.keys()) if (this.usageOf(other) < NEGLIGIBLE) this.usageByOwner.delete(other);
  }
}
