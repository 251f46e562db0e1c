import { addMilliseconds, DAY } from '../../platform/clock/clock.js';

/** A day, "2026-11-21"; days compare as their texts do. Whose it is, UTC's or a time zone's, says whoever has it. */
export type Day = string;

/** What a point of a series stands for; weeks begin on Monday. */
export type Bucket = 'day' | 'week' | 'month';

/** The day of an instant in UTC. */
export const utcDayOf = (at: Date): Day => at.toISOString().slice(0, 10);

/** The instant at which a day begins in UTC. */
export const utcStartOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

/** The day `count` days later, or, negative, before. */
export const addDays = (day: Day, count: number): Day => utcDayOf(addMilliseconds(utcStartOf(day), count * DAY));

/** How many days lie from one day to another; 0 for the same one. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((utcStartOf(to).getTime() - utcStartOf(from).getTime()) / DAY);

/** The day of an instant in a time zone. @param timeZone IANA name */
export const dayInTimeZone = (at: Date, timeZone: string): Day => {
  const parts = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', parts).format(at);
};
