import { fieldError } from '../../platform/http/parsing/validation.js';
import type { AnalyticsQueryDto } from './dto/analytics.dto.js';
import { addDays, utcDayOf, daysBetween, utcStartOf, type Bucket, type Day } from './day.js';

/** Maximum length of a range, in days: ten years. */
export const MAX_DAYS = 3660;
/** Longest ranges shown by day and by week. */
const MAX_DAYS_BY_DAY = 92;
const MAX_DAYS_BY_WEEK = 731;

/** A range of days, both ends inclusive, and how they are grouped. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
  readonly bucket: Bucket;
}

/**
 * Resolves a query for the last `7`, `30` or `90` days, for `all`, or for a range from one day to another.
 * @param today in the time zone of the query
 * @param earliest the first day with data
 * @throws VALIDATION_FAILED for an invalid or future day, a range that ends before it starts, or one over ten years
 */
export function resolveRange({ range, from, to }: AnalyticsQueryDto, today: Day, earliest: Day): DayRange {
  if (from === undefined && to === undefined) {
    const first =
      range === 'all' ? [earliest, addDays(today, 1 - MAX_DAYS)].sort()[1]! : addDays(today, 1 - Number(range ?? 30));
    return withBucket(first > today ? today : first, today);
  }
  const last = to === undefined ? today : parseDay('to', to, today);
  const first = from === undefined ? addDays(last, -29) : parseDay('from', from, today);
  if (first > last) throw fieldError('to', endBeforeStart);
  if (daysBetween(first, last) >= MAX_DAYS) throw fieldError('from', rangeTooLong);
  return withBucket(first, last);
}

const withBucket = (first: Day, last: Day): DayRange => {
  const days = daysBetween(first, last) + 1;
  return { first, last, bucket: days <= MAX_DAYS_BY_DAY ? 'day' : days <= MAX_DAYS_BY_WEEK ? 'week' : 'month' };
};

function parseDay(field: string, text: string, today: Day): Day {
  const isDay =
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(utcStartOf(text).getTime()) &&
    utcDayOf(utcStartOf(text)) === text;
  if (!isDay || text < '1970-01-01') throw fieldError(field, invalidDay);
  // Tomorrow may already have begun in the caller's current time zone.
  if (text > addDays(today, 1)) throw fieldError(field, futureDay);
  return text;
}

const invalidDay = { en: 'Please enter the day as YYYY-MM-DD.', tr: 'Lütfen günü YYYY-AA-GG biçiminde girin.' };
const futureDay = { en: 'This day is in the future.', tr: 'Bu tarih gelecekte.' };
const endBeforeStart = {
  en: 'The last day must not be before the first day.',
  tr: 'Son gün ilk günden önce olamaz.',
};
const rangeTooLong = { en: 'Please choose at most ten years.', tr: 'Lütfen en fazla on yıl seçin.' };
