import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { ActivityItemDto } from '../../activity/activity-item.dto.js';
import { ActivityService } from '../../activity/activity.service.js';
import { addDays, dayInTimeZone } from '../day.js';
import type { AttentionDto, DashboardStatsDto, TrendDto } from '../dto/dashboard.dto.js';
import { OwnerDaysService } from '../owner-days.service.js';
import type { DayFigures } from '../series.js';

const ACTIVITY_ENTRIES = 10;
/** Older failures no longer need attention. */
const ATTENTION_WINDOW = 14 * DAY;
/** Maximum number of entries per kind. */
const MAX_ATTENTION_ENTRIES = 10;

/**
 * SQL condition on `campaigns c`: paused because mail servers reject it. Such a campaign waits for its owner
 * indefinitely, even if none of its emails has failed.
 */
const isPausedByFailureSql = sql<boolean>`(c.status = 'paused' and c.failure is not null)`;

/** The dashboard of an owner. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly em: EntityManager,
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

  /**
   * Returns what the owner must act on: join requests, purchases that wait for room in the plan or could not be
   * processed, campaigns that were not sent or were paused automatically, and emails that were not delivered. Plan
   * limits are shown with the plan instead.
   */
  async listAttention(ownerId: number): Promise<AttentionDto[]> {
    const since = addMilliseconds(this.clock.now(), -ATTENTION_WINDOW);
    const { rows } = await sql<AttentionDto>`
      with owned as (select id, name from zones where owner_id = ${ownerId} and deleted_at is null),
      requests as (
        select 1 as place, 'join_requests' as kind, count(*)::int as count, r.zone_id, null::bigint as campaign_id,
          null as campaign_name, max(r.created_at) as at
        from join_requests r where r.zone_id in (select id from owned) and r.declined_at is null group by r.zone_id order by at desc limit ${MAX_ATTENTION_ENTRIES}
      ), orders as (
        select 2, 'waiting_orders', count(*)::int, e.zone_id, null::bigint, null, max(e.created_at) as at
        from entitlements e where e.state = 'waiting' and e.zone_id in (select id from owned)
        group by e.zone_id order by at desc limit ${MAX_ATTENTION_ENTRIES}
      ), failures as (
        select 3, 'failed_orders', count(*)::int, t.zone_id, null::bigint, null, max(t.since) as at
        from order_troubles t
        where t.resolved_at is null and t.kind = 'failed' and t.since >= ${since} and t.zone_id in (select id from owned)
        group by t.zone_id order by at desc limit ${MAX_ATTENTION_ENTRIES}
      ), campaigns as (
        select 4, case when c.status = 'failed' then 'failed_campaign' when ${isPausedByFailureSql} then 'paused_campaign' else 'failed_mails' end,
          case when c.status = 'failed' or ${isPausedByFailureSql} then 1 else c.failed_count end, c.zone_id, c.id, c.subject,
          coalesce(c.sent_at, c.started_at, c.updated_at) as at
        from campaigns c
        where c.sent_by_id = ${ownerId} and c.kind = 'campaign' and (c.status = 'failed' or ${isPausedByFailureSql} or c.failed_count > 0)
          and (${isPausedByFailureSql} or c.updated_at >= ${since}) and c.zone_id in (select id from owned)
        order by at desc limit ${MAX_ATTENTION_ENTRIES}
      )
      select w.kind, w.count, w.zone_id as "zoneId", z.name as "zoneName", w.campaign_id as "campaignId",
        w.campaign_name as "campaignName"
      from (select * from requests union all select * from orders union all select * from failures union all select * from campaigns) w
      join owned z on z.id = w.zone_id
      order by w.place, w.at desc`.execute(this.em.getKysely());
    return rows;
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
