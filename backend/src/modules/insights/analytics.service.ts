import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { decodeCursor } from '../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../platform/http/lists/list.js';
import { UserService } from '../auth/users/user.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { resolveRange, type DayRange } from './analytics-range.js';
import { addDays, dayInTimeZone, type Day } from './day.js';
import type { AnalyticsQueryDto, AnalyticsSeriesDto, SeriesQueryDto, ZoneFiguresDto } from './dto/analytics.dto.js';
import { OwnerDaysService, rolledUpUntilSql, type AnalyticsSubject } from './owner-days.service.js';
import { counterColumnsSql, isCountedSql } from './shared/roll-up-counters.js';
import { groupByBucket, sumCounters, type DayFigures } from './series.js';
import { dayStartSql, countersBetweenSql, type TimeZoneDays } from './time-zone-days.js';

/** A range of days in a time zone. */
type ViewerDayRange = DayRange & TimeZoneDays;

/** Statistics of an owner's zones over time, by days of the viewer's time zone. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly ownerDays: OwnerDaysService,
    private readonly users: UserService,
  ) {}

  /**
   * Returns the activity over time in all zones of the owner, or in one of them.
   * @throws VALIDATION_FAILED for an invalid range; ZONE_NOT_FOUND for a zone of someone else
   */
  async getSeries(ownerId: number, params: SeriesQueryDto): Promise<AnalyticsSeriesDto> {
    const { range, days } = await this.getDays({ ownerId, zoneId: params.zoneId }, params);
    const { first, last, bucket, timeZone } = range;
    return { from: first, to: last, bucket, timeZone, totals: sumCounters(days), points: groupByBucket(days, bucket) };
  }

  /** Returns every day of a range. @throws the errors of `getSeries` */
  async getDays(
    subject: AnalyticsSubject,
    params: AnalyticsQueryDto,
  ): Promise<{ range: ViewerDayRange; days: DayFigures[] }> {
    if (subject.zoneId !== undefined) await this.assertOwns(subject.ownerId, subject.zoneId);
    const range = await this.getRange(subject, params);
    const { days } = await this.ownerDays.getDays(subject, range);
    return { range, days };
  }

  /** Returns the activity of each of the owner's zones in a range, by id. @throws VALIDATION_FAILED */
  async listZoneFigures(ownerId: number, params: AnalyticsQueryDto, page: ListQueryDto): Promise<Page<ZoneFiguresDto>> {
    const { first, last, timeZone } = await this.getRange({ ownerId }, params);
    const [starts, ends] = [dayStartSql(first, timeZone), dayStartSql(addDays(last, 1), timeZone)];
    const { limit = LIST_LIMIT, cursor } = page;
    const after = cursor ? decodeCursor(cursor, ['bigint'])[0] : 0;
    const { rows } = await sql<ZoneFiguresDto & { total: number }>`
      with page as (
        select z.id, z.name, z.description, z.type, s.files, s.members, s.bytes
        from zones z join zone_stats s on s.zone_id = z.id
        where z.owner_id = ${ownerId} and z.deleted_at is null and z.id > ${after}
        order by z.id limit ${limit + 1}
      ), recent as (
        select zone_id, ${counterColumnsSql} from activity
        where owner_id = ${ownerId} and created_at >= ${rolledUpUntilSql} and created_at >= ${starts} and created_at < ${ends}
          and ${isCountedSql} group by zone_id
      )
      select p.id, p.name, p.description, p.type, p.files as "fileCount", p.members as "memberCount",
        p.bytes as storage, w.views + coalesce(r.views, 0) as views, w.downloads + coalesce(r.downloads, 0) as downloads,
        w.joins + coalesce(r.joins, 0) as joins, w.leaves + coalesce(r.leaves, 0) as leaves,
        (select count(*)::int from zones where owner_id = ${ownerId} and deleted_at is null) as total
      from page p cross join lateral ${countersBetweenSql('zone', sql`p.id`, [starts, ends])} w
        left join recent r on r.zone_id = p.id
      order by p.id`.execute(this.em.getKysely());
    const zones = rows.map(({ total: _, ...zone }) => zone);
    return toPage(zones, limit, rows[0]?.total ?? 0, ({ id }) => [id]);
  }

  private async getRange(subject: AnalyticsSubject, params: AnalyticsQueryDto): Promise<ViewerDayRange> {
    const timeZone = await this.users.getTimeZone(subject.ownerId, params.timeZone);
    const today = dayInTimeZone(this.clock.now(), timeZone);
    const earliest: Day = params.range === 'all' ? await this.ownerDays.getFirstDay(subject, timeZone) : today;
    return { ...resolveRange(params, today, earliest), timeZone };
  }

  private async assertOwns(ownerId: number, zoneId: number): Promise<void> {
    const { rows } = await sql`
      select 1 from zones where id = ${zoneId} and owner_id = ${ownerId} and deleted_at is null`.execute(
      this.em.getKysely(),
    );
    if (rows.length === 0) throw zoneErrors.ZONE_NOT_FOUND();
  }
}
