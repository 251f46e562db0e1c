import type { AnalyticsPointDto, FlowsDto } from './dto/analytics.dto.js';
import { addDays, utcStartOf, type Bucket, type Day } from './day.js';

/** Values at the end of a day; null if unknown. */
export interface Gauges {
  readonly zones: number | null;
  readonly files: number | null;
  readonly members: number | null;
  /** In bytes. */
  readonly storage: number | null;
}

export type DayFigures = FlowsDto & Gauges & { readonly day: Day };

export const zeroCounters: FlowsDto = { views: 0, downloads: 0, joins: 0, leaves: 0 };

/**
 * Returns every day of the range, including days without a row: their counters are 0 and their gauges unchanged.
 * @param rows by day, oldest first
 * @param before the gauges before the first day
 */
export function fillMissingDays(rows: readonly DayFigures[], first: Day, last: Day, before: Gauges): DayFigures[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days: DayFigures[] = [];
  let gauges = before;
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const row = byDay.get(day);
    gauges = {
      zones: row?.zones ?? gauges.zones,
      files: row?.files ?? gauges.files,
      members: row?.members ?? gauges.members,
      storage: row?.storage ?? gauges.storage,
    };
    const { views, downloads, joins, leaves } = row ?? zeroCounters;
    days.push({ day, views, downloads, joins, leaves, ...gauges });
  }
  return days;
}

/**
 * Groups days by calendar week (from Monday) or month; the first and last groups may be incomplete. Counters are
 * summed; gauges are those of the last day.
 */
export function groupByBucket(days: readonly DayFigures[], bucket: Bucket): AnalyticsPointDto[] {
  const points: AnalyticsPointDto[] = [];
  let currentKey = '';
  for (const { day, storage, ...figures } of days) {
    const key = bucketKeyOf(day, bucket);
    const last = points.at(-1);
    if (!last || key !== currentKey)
      points.push({ from: day, to: day, ...addCounterValues(zeroCounters, figures), storage });
    else points[points.length - 1] = { ...last, ...addCounterValues(last, figures), to: day, storage };
    currentKey = key;
  }
  return points;
}

/** Returns the sums of the counters over all days. */
export const sumCounters = (days: readonly FlowsDto[]): FlowsDto =>
  days.reduce<FlowsDto>(addCounterValues, zeroCounters);

const addCounterValues = (a: FlowsDto, b: FlowsDto): FlowsDto => ({
  views: a.views + b.views,
  downloads: a.downloads + b.downloads,
  joins: a.joins + b.joins,
  leaves: a.leaves + b.leaves,
});

function bucketKeyOf(day: Day, bucket: Bucket): string {
  if (bucket === 'day') return day;
  if (bucket === 'month') return day.slice(0, 7);
  const sinceMonday = (utcStartOf(day).getUTCDay() + 6) % 7;
  return addDays(day, -sinceMonday);
}
