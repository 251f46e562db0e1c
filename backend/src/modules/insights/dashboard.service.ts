import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { Language } from '../../platform/errors/app-error.js';
import { ActivityService } from '../activity/activity.service.js';
import { FileStatsSchema } from '../activity/entities/file-stats.entity.js';
import { FileSchema } from '../files/entities/file.entity.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import type { ActivityItemDto, DashboardStatsDto } from './dto/dashboard.dto.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof FileSchema | typeof FileStatsSchema;

/** Entries of the activity list on the dashboard. */
const ACTIVITY_ENTRIES = 10;

/** What an owner sees first. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly em: EntityManager,
    private readonly activity: ActivityService,
  ) {}

  /** Totals over the zones that the person owns. */
  async stats(ownerId: number): Promise<DashboardStatsDto> {
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
    return { ...row, totalStorage: Number(row.totalStorage), totalDownloads: await this.downloads(ownerId) };
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

  private async downloads(ownerId: number): Promise<number> {
    const row = await query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('files as f', 'f.zone_id', 'z.id')
      .innerJoin('file_stats as c', 'c.file_id', 'f.id')
      .select(sql<number>`coalesce(sum(c.downloads), 0)::int`.as('downloads'))
      .where('z.owner_id', '=', ownerId)
      .where('z.deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return row.downloads;
  }
}
