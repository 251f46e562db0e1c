import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { addDays, dayInTimeZone } from '../day.js';
import { PlatformFiguresRepository, type PlatformDayFigures } from './platform-figures.repository.js';

/** Totals of the installation. Sizes in bytes; months in the viewer's time zone. */
export type PlatformFigures = Awaited<ReturnType<PlatformFiguresService['getTotals']>>;

/** Statistics of the whole installation for administrators: roll-ups, plus what has been recorded since. */
@Injectable()
export class PlatformFiguresService {
  constructor(
    private readonly figures: PlatformFiguresRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the current totals. @param timeZone IANA name, for the start of the month */
  async getTotals(timeZone: string) {
    const now = this.clock.now();
    const [gauges, month] = await Promise.all([
      this.figures.fetchGauges(),
      this.figures.countArrivalsSince(`${dayInTimeZone(now, timeZone).slice(0, 7)}-01`, timeZone),
    ]);
    return {
      asOf: now,
      totalUsers: gauges.users,
      newUsersThisMonth: month.newUsers,
      totalZones: gauges.zones,
      publicZones: gauges.public_zones,
      privateZones: gauges.zones - gauges.public_zones,
      totalFiles: gauges.files,
      totalStorage: Number(gauges.bytes),
      totalCampaigns: gauges.campaigns,
      emailsSentThisMonth: month.mails,
    };
  }

  /**
   * Returns one entry per day up to today, oldest first. Today's is current.
   * @param days number of days, including today
   * @param timeZone IANA name, for day boundaries
   */
  async getSeries(days: number, timeZone: string): Promise<PlatformDayFigures[]> {
    const last = dayInTimeZone(this.clock.now(), timeZone);
    const [rows, { users, zones, files, bytes }] = await Promise.all([
      this.figures.fetchDays(addDays(last, 1 - days), last, timeZone),
      this.figures.fetchGauges(),
    ]);
    const today = { ...rows.at(-1)!, users, zones, files, storage: Number(bytes) };
    return [...rows.slice(0, -1), today];
  }
}
