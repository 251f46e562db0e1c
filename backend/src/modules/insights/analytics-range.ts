import { fieldError } from '../../platform/http/reading/validation.js';
import type { AnalyticsQueryDto } from './dto/analytics.dto.js';
import { addDays, dayOf, daysBetween, startOf, type Bucket, type Day } from './day.js';

/** Ten years: what a question may span at most. */
export const MOST_DAYS = 3660;
/** Spans up to these many days are shown by day, and by week. */
const BY_DAY = 92;
const BY_WEEK = 731;

/** The days that a question is about, both included, and how they are put together. */
export interface Range {
  readonly first: Day;
  readonly last: Day;
  readonly bucket: Bucket;
}

/**
 * Reads a question for `7`, `30` or `90` days up to today, for `all`, or from one day to another.
 * @param today as the time zone of the question has it
 * @param begin the first day of which anything is known
 * @throws VALIDATION_FAILED for days that there are not or that have come nowhere on earth, a span that ends before it
 * begins, or one over ten years
 */
export function rangeOf({ range, from, to }: AnalyticsQueryDto, today: Day, begin: Day): Range {
  if (from === undefined && to === undefined) {
    const first =
      range === 'all' ? [begin, addDays(today, 1 - MOST_DAYS)].sort()[1]! : addDays(today, 1 - Number(range ?? 30));
    return inBuckets(first > today ? today : first, today);
  }
  const last = to === undefined ? today : readDay('to', to, today);
  const first = from === undefined ? addDays(last, -29) : readDay('from', from, today);
  if (first > last) throw fieldError('to', reversed);
  if (daysBetween(first, last) >= MOST_DAYS) throw fieldError('from', tooLong);
  return inBuckets(first, last);
}

const inBuckets = (first: Day, last: Day): Range => {
  const days = daysBetween(first, last) + 1;
  return { first, last, bucket: days <= BY_DAY ? 'day' : days <= BY_WEEK ? 'week' : 'month' };
};

function readDay(field: string, text: string, today: Day): Day {
  const isDay =
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOf(text).getTime()) && dayOf(startOf(text)) === text;
  if (!isDay || text < '1970-01-01') throw fieldError(field, noDay);
  // Tomorrow may have begun where whoever asks is now.
  if (text > addDays(today, 1)) throw fieldError(field, notYet);
  return text;
}

const noDay = { en: 'Please enter the day as YYYY-MM-DD.', tr: 'Lütfen günü YYYY-AA-GG biçiminde girin.' };
const notYet = { en: 'This day is in the future.', tr: 'Bu tarih gelecekte.' };
const reversed = {
  en: 'The last day must not be before the first day.',
  tr: 'Son gün ilk günden önce olamaz.',
};
const tooLong = { en: 'Please choose at most ten years.', tr: 'Lütfen en fazla on yıl seçin.' };
