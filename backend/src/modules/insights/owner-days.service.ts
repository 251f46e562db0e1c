import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { dayInTimeZone, type Day } from './day.js';
import { OwnerStatisticsRepository, unknownGauges, type AnalyticsSubject } from './owner-statistics.repository.js';
import { fillMissingDays, zeroCounters, type DayFigures, type Gauges } from './series.js';
import type { TimeZoneDays } from './shared/time-zone-days.sql.js';

const zeroGauges: Gauges = { zones: 0, files: 0, members: 0, storage: 0 };

/** Daily statistics of an owner: roll-ups, plus what has been recorded since. */
@Injectable()
export class OwnerDaysService {
  constructor(
    private readonly statistics: OwnerStatisticsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns every day of the range in its time zone.
   * @returns also the downloads of all time
   */
  async getDays(subject: AnalyticsSubject, range: TimeZoneDays): Promise<{ days: DayFigures[]; downloads: number }> {
    const { rows, before, present, isNew, downloads } = await this.statistics.fetchDays(subject, range);
    const { first, last, timeZone } = range;
    const today = dayInTimeZone(this.clock.now(), timeZone);
    const known = [...rows, { ...(rows.find(({ day }) => day === today) ?? zeroCounters), ...present, day: today }];
    // A new account or zone had nothing before.
    return { days: fillMissingDays(known, first, last, before ?? (isNew ? zeroGauges : unknownGauges)), downloads };
  }

  /** Returns the day on which the owner's account, or the zone, was created; there is no earlier data. */
  async getFirstDay(subject: AnalyticsSubject, timeZone: string): Promise<Day> {
    return dayInTimeZone(await this.statistics.getCreationTime(subject), timeZone);
  }
}
