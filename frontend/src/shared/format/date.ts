import type { Language } from '../preferences/language';
import { createFormatterCache } from './formatter-cache';

type Instant = string | number | Date;

const locales: Record<Language, string> = { en: 'en-US', tr: 'tr-TR' };
const getDateFormat = createFormatterCache(Intl.DateTimeFormat);
const getRelativeTimeFormat = createFormatterCache(Intl.RelativeTimeFormat);

/** `Nov 21, 2025` and `21 Kas 2025`. Returns an empty string for an invalid instant. */
export function formatDate(instant: Instant, language: Language, timeZone?: string): string {
  return format(instant, language, { year: 'numeric', month: 'short', day: 'numeric', timeZone });
}

/** Date and time, with a 24-hour clock or AM/PM depending on the language. */
export function formatDateTime(instant: Instant, language: Language, timeZone?: string): string {
  return format(instant, language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
}

/** `12:00 PM` and `12:00`. */
export function formatTime(instant: Instant, language: Language, timeZone?: string): string {
  return format(instant, language, { timeStyle: 'short', timeZone });
}

/** `Nov 21` and `21 Kas`. */
export function formatShortDate(instant: Instant, language: Language, timeZone?: string): string {
  return format(instant, language, { month: 'short', day: 'numeric', timeZone });
}

function format(instant: Instant, language: Language, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? '' : getDateFormat(locales[language], options).format(date);
}

/** How a calendar day is written: full, without the year, or only its month. */
export type DayFormat = 'whole' | 'short' | 'month';

const dayFormats: Record<DayFormat, Intl.DateTimeFormatOptions> = {
  whole: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'short' },
};

/** Formats a calendar day such as `2025-11-21`, independent of time zones. */
export function formatDay(day: string, language: Language, dayFormat: DayFormat = 'whole'): string {
  return format(`${day}T00:00:00Z`, language, { ...dayFormats[dayFormat], timeZone: 'UTC' });
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats a relative time: "5 minutes ago", "yesterday". From one day on, calendar days are counted; beyond 30 days it
 * is the date.
 */
export function formatRelative(instant: Instant, now: number, language: Language, timeZone?: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const seconds = Math.round((date.getTime() - now) / 1000);
  const distance = Math.abs(seconds);
  const relativeFormat = getRelativeTimeFormat(locales[language], { numeric: 'auto' });
  if (distance < MINUTE) return relativeFormat.format(0, 'second');
  if (distance < HOUR) return relativeFormat.format(Math.trunc(seconds / MINUTE), 'minute');
  if (distance < DAY) return relativeFormat.format(Math.trunc(seconds / HOUR), 'hour');
  const days = calendarDayNumber(date, timeZone) - calendarDayNumber(new Date(now), timeZone);
  if (Math.abs(days) > 30) return formatDate(date, language, timeZone);
  // Turkish also has words for two days ("öbür gün"), which read oddly beside "3 gün sonra".
  if (Math.abs(days) > 1) return getRelativeTimeFormat(locales[language], { numeric: 'always' }).format(days, 'day');
  return relativeFormat.format(days, 'day');
}

/** The calendar day of an instant in a time zone, as a day number. */
function calendarDayNumber(instant: Date, timeZone?: string): number {
  const parts = getDateFormat('en-US', { year: 'numeric', month: 'numeric', day: 'numeric', timeZone }).formatToParts(
    instant,
  );
  const [year, month, dayOfMonth] = (['year', 'month', 'day'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)!.value),
  );
  return Date.UTC(year!, month! - 1, dayOfMonth) / (1000 * DAY);
}
