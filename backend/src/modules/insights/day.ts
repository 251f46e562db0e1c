import { after, DAY } from '../../platform/clock/clock.js';

/** A day in UTC, "2026-11-21"; days compare as their texts do. */
export type Day = string;

/** The day of an instant. */
export const dayOf = (at: Date): Day => at.toISOString().slice(0, 10);

/** The instant at which a day begins. */
export const startOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

/** The day `count` days later, or, negative, before. */
export const addDays = (day: Day, count: number): Day => dayOf(after(startOf(day), count * DAY));

/** How many days lie from one day to another; 0 for the same one. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((startOf(to).getTime() - startOf(from).getTime()) / DAY);
