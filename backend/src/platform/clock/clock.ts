import { sql, type RawBuilder } from 'kysely';

/** The current time; tests replace it to control time. Durations are in milliseconds unless a name says otherwise. */
export abstract class Clock {
  abstract now(): Date;

  /**
   * The database's current time, for use in statements. Times that one host writes and another waits for (such as when
   * a job is due) must not depend on differences between the hosts' clocks.
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

/** Tolerated clock difference between two processes, so that what one signs is valid at once for the other. */
export const MAX_CLOCK_SKEW = 30 * SECOND;

/** Returns the instant `milliseconds` after `date`; before it, when negative. */
export function addMilliseconds(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds);
}
