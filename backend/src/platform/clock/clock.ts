import { sql, type RawBuilder } from 'kysely';

/** The present time; a test replaces it to travel. Durations in code are in milliseconds unless a name says otherwise. */
export abstract class Clock {
  abstract now(): Date;

  /**
   * The present time by the clock of the database, for statements: what is written by one host and waited for by another
   * (when a job is due) must not depend on how their own clocks differ.
   */
  databaseNow(): RawBuilder<Date> {
    return sql<Date>`now()`;
  }
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How far the clocks of two processes may differ: what the one has signed is read by the other at once. */
export const MAX_CLOCK_SKEW = 30 * SECOND;

/** The instant `milliseconds` after (or, negative, before) `date`. */
export function addMilliseconds(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds);
}
