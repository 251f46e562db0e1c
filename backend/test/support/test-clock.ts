import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../src/platform/clock/clock.js';

/** Longer than any suite takes, in milliseconds. */
const BEFORE_MIDNIGHT = 30 * 60_000;
const DAY = 24 * 60 * 60_000;

/**
 * A clock that a test moves. It runs with the real one, so that what the database orders by time stays in order. A suite
 * that begins shortly before midnight (UTC) begins after it: what is counted by the day is counted on one.
 */
export class TestClock extends Clock {
  private offset = untilMorning(Date.now());
  private heldAt: number | null = null;

  now(): Date {
    return new Date((this.heldAt ?? Date.now()) + this.offset);
  }

  override shared(): RawBuilder<Date> {
    return sql<Date>`(now() + ${this.offset} * interval '1 millisecond')`;
  }

  /** Moves forward by milliseconds. */
  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }

  /** Stands still during `work`, but for `advance`: for what must not depend on how long a busy machine takes. */
  async held(work: () => Promise<void>): Promise<void> {
    this.heldAt = Date.now();
    await work().finally(() => (this.heldAt = null));
  }
}

function untilMorning(now: number): number {
  const left = DAY - (now % DAY);
  return left < BEFORE_MIDNIGHT ? left : 0;
}
