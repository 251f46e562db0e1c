import type { TrendDto } from './dto/dashboard.dto.js';
import type { DayFigures } from './series.js';

/** Days of a trend, and of the time that it is compared with. */
export const TREND_DAYS = 30;

/**
 * How what there is has changed.
 * @param days 30 days and the one before them
 * @param now the present value, which the last day may not show yet
 */
export function trendOfStock(
  days: readonly DayFigures[],
  pick: (day: DayFigures) => number | null,
  now: number,
): TrendDto {
  const points = days.slice(-TREND_DAYS).map((day) => ({ day: day.day, value: pick(day) }));
  points[points.length - 1] = { ...points.at(-1)!, value: now };
  return { ...changeOf(pick(days.at(-TREND_DAYS - 1)!), now), points };
}

/** How much happens, against as many days before. @param days 60 days */
export function trendOfFlow(days: readonly DayFigures[], pick: (day: DayFigures) => number): TrendDto {
  const sum = (some: readonly DayFigures[]) => some.reduce((all, day) => all + pick(day), 0);
  const recent = days.slice(-TREND_DAYS);
  const points = recent.map((day) => ({ day: day.day, value: pick(day) }));
  return { ...changeOf(sum(days.slice(-2 * TREND_DAYS, -TREND_DAYS)), sum(recent)), points };
}

function changeOf(before: number | null, now: number): Pick<TrendDto, 'change' | 'percent'> {
  if (before === null) return { change: null, percent: null };
  const change = now - before;
  return { change, percent: before === 0 ? null : Math.round((change / before) * 1000) / 10 };
}
