import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../src/platform/clock/clock.js';

/** A clock that a test moves. It runs with the real one, so that what the database orders by time stays in order. */
export class TestClock extends Clock {
  private offset = 0;
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
