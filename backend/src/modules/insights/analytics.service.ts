import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { decodeCursor } from '../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../platform/http/lists/list.js';
import { UserService } from '../auth/users/user.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { resolveRange, type DayRange } from './analytics-range.js';
import { dayInTimeZone, type Day } from './day.js';
import type {
  AnalyticsQueryDto,
  AnalyticsSeriesDto,
  FileFiguresDto,
  SeriesQueryDto,
  ZoneFiguresDto,
} from './dto/analytics.dto.js';
import { OwnerDaysService } from './owner-days.service.js';
import { OwnerStatisticsRepository, type AnalyticsSubject } from './owner-statistics.repository.js';
import { FileFiguresRepository } from './reading/file-figures.repository.js';
import { groupByBucket, sumCounters, type DayFigures } from './series.js';
import type { TimeZoneDays } from './shared/time-zone-days.sql.js';

/** A range of days in a time zone. */
type ViewerDayRange = DayRange & TimeZoneDays;

/** Statistics of an owner's zones over time, by days of the viewer's time zone. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly statistics: OwnerStatisticsRepository,
    private readonly files: FileFiguresRepository,
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
    await this.assertOwned(subject);
    const range = await this.getRange(subject, params);
    const { days } = await this.ownerDays.getDays(subject, range);
    return { range, days };
  }

  /**
   * Returns what is read most in a range, and what nobody has opened.
   * @throws the errors of `getSeries`
   */
  async getFileFigures(ownerId: number, params: SeriesQueryDto): Promise<FileFiguresDto> {
    const subject = { ownerId, zoneId: params.zoneId };
    await this.assertOwned(subject);
    const mostRead = await this.files.listMostRead(subject, await this.getRange(subject, params));
    const { files: unopened, count: unopenedCount } = await this.files.listUnopened(subject);
    return { mostRead, unopened, unopenedCount };
  }

  /** Returns the activity of each of the owner's zones in a range, by id. @throws VALIDATION_FAILED */
  async listZoneFigures(ownerId: number, params: AnalyticsQueryDto, page: ListQueryDto): Promise<Page<ZoneFiguresDto>> {
    const range = await this.getRange({ ownerId }, params);
    const { limit = LIST_LIMIT, cursor } = page;
    const after = cursor ? decodeCursor(cursor, ['bigint'])[0] : 0;
    const { zones, total } = await this.statistics.listZoneFigures(ownerId, range, { after, limit: limit + 1 });
    return toPage(zones, limit, total, ({ id }) => [id]);
  }

  private async assertOwned({ ownerId, zoneId }: AnalyticsSubject): Promise<void> {
    if (zoneId !== undefined && !(await this.statistics.ownsZone(ownerId, zoneId))) throw zoneErrors.ZONE_NOT_FOUND();
  }

  private async getRange(subject: AnalyticsSubject, params: AnalyticsQueryDto): Promise<ViewerDayRange> {
    const timeZone = await this.users.getTimeZone(subject.ownerId, params.timeZone);
    const today = dayInTimeZone(this.clock.now(), timeZone);
    const earliest: Day = params.range === 'all' ? await this.ownerDays.getFirstDay(subject, timeZone) : today;
    return { ...resolveRange(params, today, earliest), timeZone };
  }
}
