import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { decodeCursor } from '../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../platform/http/list.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { rangeOf, type Range } from './analytics-range.js';
import { dayOf, startOf, type Day } from './day.js';
import type { AnalyticsQueryDto, AnalyticsSeriesDto, SeriesQueryDto, ZoneFiguresDto } from './dto/analytics.dto.js';
import { OwnerDaysService, reached, type Subject } from './owner-days.service.js';
import { flowCounts, isCounted } from './roll-up-flows.js';
import { inBuckets, total, type DayFigures } from './series.js';

/** What became of an owner's zones over time. Days are those of UTC. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly ownerDays: OwnerDaysService,
  ) {}

  /**
   * What happened in all zones of the owner, or in one of them, over time.
   * @throws VALIDATION_FAILED for a range that cannot be; ZONE_NOT_FOUND for a zone that is not theirs
   */
  async series(ownerId: number, asked: SeriesQueryDto): Promise<AnalyticsSeriesDto> {
    const { range, days } = await this.days({ ownerId, zoneId: asked.zoneId }, asked);
    const { first, last, bucket } = range;
    return { from: first, to: last, bucket, timeZone: 'UTC', totals: total(days), points: inBuckets(days, bucket) };
  }

  /** The days of a range, one by one. @throws as `series` does */
  async days(subject: Subject, asked: AnalyticsQueryDto): Promise<{ range: Range; days: DayFigures[] }> {
    if (subject.zoneId !== undefined) await this.assertOwns(subject.ownerId, subject.zoneId);
    const range = await this.range(subject, asked);
    const { days } = await this.ownerDays.of(subject, range.first, range.last);
    return { range, days };
  }

  /** What happened in each zone of the owner in a range, by id. @throws VALIDATION_FAILED */
  async zones(ownerId: number, asked: AnalyticsQueryDto, page: ListQueryDto): Promise<Page<ZoneFiguresDto>> {
    const { first, last } = await this.range({ ownerId }, asked);
    const { limit = LIST_LIMIT, cursor } = page;
    const after = cursor ? decodeCursor(cursor, ['bigint'])[0] : 0;
    const { rows } = await sql<ZoneFiguresDto & { total: number }>`
      with page as (
        select z.id, z.name, z.description, z.type, s.files, s.members, s.bytes
        from zones z join zone_stats s on s.zone_id = z.id
        where z.owner_id = ${ownerId} and z.deleted_at is null and z.id > ${after}
        order by z.id limit ${limit + 1}
      ), rolled as (
        select d.zone_id, sum(views)::int as views, sum(downloads)::int as downloads, sum(joins)::int as joins,
          sum(leaves)::int as leaves
        from zone_day d where d.zone_id in (select id from page) and d.day between ${first}::date and ${last}::date
        group by d.zone_id
      ), recent as (
        select zone_id, ${flowCounts} from activity
        where owner_id = ${ownerId} and created_at >= ${reached} and created_at >= ${startOf(first)}
          and (created_at at time zone 'UTC')::date <= ${last}::date and ${isCounted} group by zone_id
      )
      select p.id, p.name, p.description, p.type, p.files as "fileCount", p.members as "memberCount",
        p.bytes as storage, coalesce(w.views, 0) + coalesce(r.views, 0) as views,
        coalesce(w.downloads, 0) + coalesce(r.downloads, 0) as downloads,
        coalesce(w.joins, 0) + coalesce(r.joins, 0) as joins, coalesce(w.leaves, 0) + coalesce(r.leaves, 0) as leaves,
        (select count(*)::int from zones where owner_id = ${ownerId} and deleted_at is null) as total
      from page p left join rolled w on w.zone_id = p.id left join recent r on r.zone_id = p.id
      order by p.id`.execute(this.em.getKysely());
    const zones = rows.map(({ total: _, ...zone }) => zone);
    return pageOf(zones, limit, rows[0]?.total ?? 0, ({ id }) => [id]);
  }

  private async range(subject: Subject, asked: AnalyticsQueryDto): Promise<Range> {
    const now = this.clock.now();
    const begin: Day = asked.range === 'all' ? await this.ownerDays.beginOf(subject) : dayOf(now);
    return rangeOf(asked, now, begin);
  }

  private async assertOwns(ownerId: number, zoneId: number): Promise<void> {
    const { rows } = await sql`
      select 1 from zones where id = ${zoneId} and owner_id = ${ownerId} and deleted_at is null`.execute(
      this.em.getKysely(),
    );
    if (rows.length === 0) throw zoneErrors.ZONE_NOT_FOUND();
  }
}
