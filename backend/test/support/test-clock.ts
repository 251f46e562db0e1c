import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../src/platform/clock/clock.js';

/** Longer than any suite takes, in milliseconds. */
const BEFORE_MIDNIGHT = 30 * 60_000;
const DAY = 24 * 60 * 60_000;

/** How far the clocks of this process are ahead, and until when all further ones are as far: those of a suite agree. */
let ahead = { by: 0, until: 0 };

/**
 * A clock that a test moves. It runs with the real one, so that what the database orders by time stays in order. A suite
 * that begins shortly before midnight (UTC) begins after it: what is counted by the day is counted on one.
 */
export class TestClock extends Clock {
  private offset = untilMorning(Date.now());
  private heldAt: number | null = null;
  private isReal = false;

  now(): Date {
    return new Date((this.heldAt ?? Date.now()) + this.offset);
  }

  override databaseNow(): RawBuilder<Date> {
    return sql<Date>`(now() + ${this.offset} * interval '1 millisecond')`;
  }

  /**
   * Is the real clock from now on. Said by a suite that starts processes, before it makes anything: they have no other, and
   * what is due tomorrow they leave alone.
   */
  keepReal(): void {
    this.offset = 0;
    this.isReal = true;
  }

  /** @throws Error where a process beside would have another time at some hours of the day */
  mustBeReal(): void {
    if (!this.isReal) throw new Error('Say clock.keepReal() before you make what another process is to work on.');
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
  if (now < ahead.until) return ahead.by;
  const left = DAY - (now % DAY);
  ahead = left < BEFORE_MIDNIGHT ? { by: left, until: now + BEFORE_MIDNIGHT } : { by: 0, until: 0 };
  return ahead.by;
}
