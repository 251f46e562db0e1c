import { addMilliseconds, DAY } from '../../platform/clock/clock.js';

/**
 * A day such as "2026-11-21"; days sort like their strings. Whether it is in UTC or a time zone depends on the context.
 */
export type Day = string;

/** The period of one point of a series; weeks start on Monday. */
export type Bucket = 'day' | 'week' | 'month';

/** Returns the day of an instant in UTC. */
export const utcDayOf = (at: Date): Day => at.toISOString().slice(0, 10);

/** Returns the instant at which a day starts in UTC. */
export const utcStartOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

/** Returns the day `count` days later, or earlier if negative. */
export const addDays = (day: Day, count: number): Day => utcDayOf(addMilliseconds(utcStartOf(day), count * DAY));

/** Returns the number of days from one day to another; 0 for the same one. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((utcStartOf(to).getTime() - utcStartOf(from).getTime()) / DAY);

/** Returns the day of an instant in a time zone. @param timeZone IANA name */
export const dayInTimeZone = (at: Date, timeZone: string): Day => {
  const parts = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', parts).format(at);
};
