import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { ActivityItemDto } from '../../activity/activity-item.dto.js';
import { ActivityService } from '../../activity/activity.service.js';
import { addDays, dayInTimeZone } from '../day.js';
import type { DashboardStatsDto, TrendDto } from '../dto/dashboard.dto.js';
import { OwnerDaysService } from '../owner-days.service.js';
import type { DayFigures } from '../series.js';

const ACTIVITY_ENTRIES = 10;
/** The dashboard of an owner. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly ownerDays: OwnerDaysService,
  ) {}

  /**
   * Returns totals over the zones that the user owns, and how they have changed in 30 days. The totals are taken from
   * the last day, so that both agree.
   * @param timeZone IANA name, for day boundaries
   */
  async getStats(ownerId: number, timeZone: string): Promise<DashboardStatsDto> {
    const last = dayInTimeZone(this.clock.now(), timeZone);
    const range = { first: addDays(last, 1 - 2 * TREND_DAYS), last, timeZone };
    const { days, downloads } = await this.ownerDays.getDays({ ownerId }, range);
    const { zones, files, members, storage } = days.at(-1)!;
    const totals = { totalZones: zones!, totalFiles: files!, totalMembers: members!, totalStorage: storage! };
    return {
      ...totals,
      totalDownloads: downloads,
      trends: {
        zones: getGaugeTrend(days, (day) => day.zones, totals.totalZones),
        files: getGaugeTrend(days, (day) => day.files, totals.totalFiles),
        members: getGaugeTrend(days, (day) => day.members, totals.totalMembers),
        downloads: getCounterTrend(days, (day) => day.downloads),
      },
    };
  }

  /** Returns the latest activity in the user's zones, newest first. */
  async listLatestActivity(ownerId: number, language: Language): Promise<ActivityItemDto[]> {
    const items = await this.activity.listLatestForOwner(ownerId, ACTIVITY_ENTRIES, language);
    return items.map((item) => ({
      ...item,
      createdAt: new Date(item.createdAt),
      timestamp: new Date(item.createdAt),
    }));
  }
}

/** Days of a trend, and of the period it is compared with. */
export const TREND_DAYS = 30;

/**
 * Returns the trend of a gauge.
 * @param days 30 days and the one before them
 * @param now the current value, which the last day may not include yet
 */
export function getGaugeTrend(
  days: readonly DayFigures[],
  pick: (day: DayFigures) => number | null,
  now: number,
): TrendDto {
  const points = days.slice(-TREND_DAYS).map((day) => ({ day: day.day, value: pick(day) }));
  points[points.length - 1] = { ...points.at(-1)!, value: now };
  return { ...toChange(pick(days.at(-TREND_DAYS - 1)!), now), points };
}

/** Returns the trend of a counter, compared with the same number of days before. @param days 60 days */
export function getCounterTrend(days: readonly DayFigures[], pick: (day: DayFigures) => number): TrendDto {
  const sum = (some: readonly DayFigures[]) => some.reduce((all, day) => all + pick(day), 0);
  const recent = days.slice(-TREND_DAYS);
  const points = recent.map((day) => ({ day: day.day, value: pick(day) }));
  return { ...toChange(sum(days.slice(-2 * TREND_DAYS, -TREND_DAYS)), sum(recent)), points };
}

function toChange(before: number | null, now: number): Pick<TrendDto, 'change' | 'percent'> {
  if (before === null) return { change: null, percent: null };
  const change = now - before;
  return { change, percent: before === 0 ? null : Math.round((change / before) * 1000) / 10 };
}
