import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../src/platform/clock/clock.js';

/** A clock that a test moves. It runs with the real one, so that what the database orders by time stays in order. */
export class TestClock extends Clock {
  private offset = 0;

  now(): Date {
    return new Date(Date.now() + this.offset);
  }

  override shared(): RawBuilder<Date> {
    return sql<Date>`(now() + ${this.offset} * interval '1 millisecond')`;
  }

  /** Moves forward by milliseconds. */
  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }
}
