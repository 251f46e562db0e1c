import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../src/platform/clock/clock.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Longer than any suite takes, in milliseconds. */
const MIDNIGHT_MARGIN = HOUR / 2;
/** Longer than any suite takes with the hours by which its tests advance their clock, in milliseconds. */
const MONTH_END_MARGIN = 12 * HOUR;

/**
 * How far this process's clocks are ahead, and until when further ones use the same shift, so that a suite's clocks
 * agree.
 */
let midnightShift = { by: 0, until: 0 };

/**
 * A clock that a test can move. It runs with the real clock, so that timestamps stay ordered in the database. A suite
 * that starts shortly before midnight (UTC), or in the last hours of a month, is shifted past it, so that counters stay
 * on one day and in one month.
 */
export class TestClock extends Clock {
  private offset = offsetPastMidnight(Date.now());
  private frozenAt: number | null = null;
  private isRealTime = false;

  now(): Date {
    return new Date((this.frozenAt ?? Date.now()) + this.offset);
  }

  override databaseNow(): RawBuilder<Date> {
    return sql<Date>`(now() + ${this.offset} * interval '1 millisecond')`;
  }

  /**
   * Uses the real time from now on. Suites that start processes call it before creating data: processes use the real
   * clock and would ignore jobs that are due tomorrow.
   */
  useRealTime(): void {
    this.offset = 0;
    this.isRealTime = true;
  }

  /** @throws Error if another process would see a different time at some hours of the day */
  assertRealTime(): void {
    if (!this.isRealTime) throw new Error('Call clock.keepReal() before creating data for another process.');
  }

  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }

  /** Stops the clock during `work`, except for `advance`, for tests that must not depend on the machine's speed. */
  async freezeWhile(work: () => Promise<void>): Promise<void> {
    this.frozenAt = Date.now();
    await work().finally(() => (this.frozenAt = null));
  }
}

function offsetPastMidnight(now: number): number {
  if (now < midnightShift.until) return midnightShift.by;
  midnightShift = { by: shiftFor(now), until: now + MIDNIGHT_MARGIN };
  return midnightShift.by;
}

function shiftFor(now: number): number {
  if (new Date(now).getUTCMonth() !== new Date(now + MONTH_END_MARGIN).getUTCMonth()) return MONTH_END_MARGIN;
  const untilMidnight = DAY - (now % DAY);
  return untilMidnight < MIDNIGHT_MARGIN ? untilMidnight : 0;
}
