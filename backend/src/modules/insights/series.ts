import type { AnalyticsPointDto, FlowsDto } from './dto/analytics.dto.js';
import { addDays, startOf, type Bucket, type Day } from './day.js';

/** What there was at the end of a day; null when it is not known. */
export interface Stocks {
  readonly zones: number | null;
  readonly files: number | null;
  readonly members: number | null;
  /** Bytes. */
  readonly storage: number | null;
}

export type DayFigures = FlowsDto & Stocks & { readonly day: Day };

export const nothing: FlowsDto = { views: 0, downloads: 0, joins: 0, leaves: 0 };

/**
 * Every day from the first to the last, also those without a row: nothing happened then, and what there was stayed.
 * @param rows by day, the oldest first
 * @param before what there was before the first day
 */
export function dense(rows: readonly DayFigures[], first: Day, last: Day, before: Stocks): DayFigures[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days: DayFigures[] = [];
  let stocks = before;
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const row = byDay.get(day);
    stocks = {
      zones: row?.zones ?? stocks.zones,
      files: row?.files ?? stocks.files,
      members: row?.members ?? stocks.members,
      storage: row?.storage ?? stocks.storage,
    };
    const { views, downloads, joins, leaves } = row ?? nothing;
    days.push({ day, views, downloads, joins, leaves, ...stocks });
  }
  return days;
}

/**
 * Puts days together by calendar weeks (from Monday) or months; those at the ends may be cut off. What happened is added
 * up, what there was is that of the last day.
 */
export function inBuckets(days: readonly DayFigures[], bucket: Bucket): AnalyticsPointDto[] {
  const points: AnalyticsPointDto[] = [];
  let present = '';
  for (const { day, storage, ...figures } of days) {
    const key = bucketOf(day, bucket);
    const last = points.at(-1);
    if (!last || key !== present) points.push({ from: day, to: day, ...added(nothing, figures), storage });
    else points[points.length - 1] = { ...last, ...added(last, figures), to: day, storage };
    present = key;
  }
  return points;
}

/** What happened on all of the days. */
export const total = (days: readonly FlowsDto[]): FlowsDto => days.reduce<FlowsDto>(added, nothing);

const added = (a: FlowsDto, b: FlowsDto): FlowsDto => ({
  views: a.views + b.views,
  downloads: a.downloads + b.downloads,
  joins: a.joins + b.joins,
  leaves: a.leaves + b.leaves,
});

function bucketOf(day: Day, bucket: Bucket): string {
  if (bucket === 'day') return day;
  if (bucket === 'month') return day.slice(0, 7);
  const sinceMonday = (startOf(day).getUTCDay() + 6) % 7;
  return addDays(day, -sinceMonday);
}
