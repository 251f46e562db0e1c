import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../src/platform/clock/clock.js';

/** Longer than any suite takes, in milliseconds. */
const MIDNIGHT_MARGIN = 30 * 60_000;
const DAY = 24 * 60 * 60_000;

/** How far the clocks of this process are ahead, and until when all further ones are as far: those of a suite agree. */
let midnightShift = { by: 0, until: 0 };

/**
 * A clock that a test moves. It runs with the real one, so that what the database orders by time stays in order. A suite
 * that begins shortly before midnight (UTC) begins after it: what is counted by the day is counted on one.
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
   * Is the real clock from now on. Said by a suite that starts processes, before it makes anything: they have no other, and
   * what is due tomorrow they leave alone.
   */
  useRealTime(): void {
    this.offset = 0;
    this.isRealTime = true;
  }

  /** @throws Error where a process beside would have another time at some hours of the day */
  assertRealTime(): void {
    if (!this.isRealTime) throw new Error('Say clock.keepReal() before you make what another process is to work on.');
  }

  /** Moves forward by milliseconds. */
  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }

  /** Stands still during `work`, but for `advance`: for what must not depend on how long a busy machine takes. */
  async freezeWhile(work: () => Promise<void>): Promise<void> {
    this.frozenAt = Date.now();
    await work().finally(() => (this.frozenAt = null));
  }
}

function offsetPastMidnight(now: number): number {
  if (now < midnightShift.until) return midnightShift.by;
  const untilMidnight = DAY - (now % DAY);
  midnightShift =
    untilMidnight < MIDNIGHT_MARGIN ? { by: untilMidnight, until: now + MIDNIGHT_MARGIN } : { by: 0, until: 0 };
  return midnightShift.by;
}
