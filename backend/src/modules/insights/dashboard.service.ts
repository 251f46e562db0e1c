import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { Language } from '../../platform/errors/app-error.js';
import type { ActivityItemDto } from '../activity/activity-item.dto.js';
import { ActivityService } from '../activity/activity.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { addDays, dayOf } from './day.js';
import type { DashboardStatsDto } from './dto/dashboard.dto.js';
import { OwnerDaysService } from './owner-days.service.js';
import { TREND_DAYS, trendOfFlow, trendOfStock } from './trend.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema;

/** Entries of the activity list on the dashboard. */
const ACTIVITY_ENTRIES = 10;

/** What an owner sees first. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly ownerDays: OwnerDaysService,
  ) {}

  /** Totals over the zones that the person owns, and how they have changed in 30 days. */
  async stats(ownerId: number): Promise<DashboardStatsDto> {
    const today = dayOf(this.clock.now());
    const first = addDays(today, 1 - 2 * TREND_DAYS);
    const [totals, { days, downloads }] = await Promise.all([
      this.totals(ownerId),
      this.ownerDays.of({ ownerId }, first, today),
    ]);
    return {
      ...totals,
      totalDownloads: downloads,
      trends: {
        zones: trendOfStock(days, ({ zones }) => zones, totals.totalZones),
        files: trendOfStock(days, ({ files }) => files, totals.totalFiles),
        members: trendOfStock(days, ({ members }) => members, totals.totalMembers),
        downloads: trendOfFlow(days, (day) => day.downloads),
      },
    };
  }

  /** The latest records of the person's zones, newest first. */
  async latest(ownerId: number, language: Language): Promise<ActivityItemDto[]> {
    const items = await this.activity.latestForOwner(ownerId, ACTIVITY_ENTRIES, language);
    return items.map((item) => ({
      ...item,
      createdAt: new Date(item.createdAt),
      timestamp: new Date(item.createdAt),
    }));
  }

  private async totals(ownerId: number): Promise<Omit<DashboardStatsDto, 'totalDownloads' | 'trends'>> {
    const row = await query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .select([
        sql<number>`count(*)::int`.as('totalZones'),
        sql<number>`coalesce(sum(s.files), 0)::int`.as('totalFiles'),
        sql<number>`coalesce(sum(s.members), 0)::int`.as('totalMembers'),
        sql<number>`coalesce(sum(s.bytes), 0)::bigint`.as('totalStorage'),
      ])
      .where('z.owner_id', '=', ownerId)
      .where('z.deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return { ...row, totalStorage: Number(row.totalStorage) };
  }
}
