import type { Language } from '../preferences/language';
import { madeOnce } from './formatters';

type Instant = string | number | Date;

const locales: Record<Language, string> = { en: 'en-US', tr: 'tr-TR' };
const dates = madeOnce(Intl.DateTimeFormat);
const distances = madeOnce(Intl.RelativeTimeFormat);

/** A day: `Nov 21, 2025` and `21 Kas 2025`. An instant that cannot be read gives an empty text. */
export function formatDate(instant: Instant, language: Language, timeZone?: string): string {
  return format(instant, language, { year: 'numeric', month: 'short', day: 'numeric', timeZone });
}

/** A day and a time of day in 24 hours or with AM and PM, as the language has it. */
export function formatDateTime(instant: Instant, language: Language, timeZone?: string): string {
  return format(instant, language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
}

function format(instant: Instant, language: Language, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? '' : dates(locales[language], options).format(date);
}

/** How a day that is no instant is written: whole, without its year, or only its month. */
export type DayKind = 'whole' | 'short' | 'month';

const dayKinds: Record<DayKind, Intl.DateTimeFormatOptions> = {
  whole: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'short' },
};

/** A day such as `2025-11-21`, the same everywhere: it does not depend on a time zone. */
export function formatDay(day: string, language: Language, kind: DayKind = 'whole'): string {
  return format(`${day}T00:00:00Z`, language, { ...dayKinds[kind], timeZone: 'UTC' });
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How long ago, or how soon: "5 minutes ago", "yesterday". From a day on days of the calendar are counted, as people do;
 * beyond 30 of them it is the day itself.
 */
export function formatRelative(instant: Instant, now: number, language: Language, timeZone?: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const seconds = Math.round((date.getTime() - now) / 1000);
  const distance = Math.abs(seconds);
  const words = distances(locales[language], { numeric: 'auto' });
  if (distance < minute) return words.format(0, 'second');
  if (distance < hour) return words.format(Math.trunc(seconds / minute), 'minute');
  if (distance < day) return words.format(Math.trunc(seconds / hour), 'hour');
  const days = dayNumber(date, timeZone) - dayNumber(new Date(now), timeZone);
  if (Math.abs(days) <= 30) return words.format(days, 'day');
  return formatDate(date, language, timeZone);
}

/** The day of an instant where somebody is, as a number that grows by one each day. */
function dayNumber(instant: Date, timeZone?: string): number {
  const parts = dates('en-US', { year: 'numeric', month: 'numeric', day: 'numeric', timeZone }).formatToParts(instant);
  const [year, month, dayOfMonth] = (['year', 'month', 'day'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)!.value),
  );
  return Date.UTC(year!, month! - 1, dayOfMonth) / (1000 * day);
}
