import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { addDays, dayOf, startOf, type Day } from './day.js';
import { PlatformDaySchema } from './entities/platform-day.entity.js';
import { platformStocks, type PlatformStocks } from './roll-up-stocks.js';

/** Totals of the installation. Sizes are bytes, months are those of UTC. */
export interface PlatformFigures {
  /** When they were counted; at most about ten minutes ago. */
  readonly asOf: Date;
  readonly totalUsers: number;
  readonly newUsersThisMonth: number;
  readonly totalZones: number;
  readonly publicZones: number;
  readonly privateZones: number;
  /** Without trash and mirrored ones. */
  readonly totalFiles: number;
  /** Bytes stored, trash included. */
  readonly totalStorage: number;
  /** Drafts included, welcome mails not. */
  readonly totalCampaigns: number;
  /** Mails of campaigns and welcome mails that a mail server took. */
  readonly emailsSentThisMonth: number;
}

/** One day (UTC) of the installation: what there was at its end (null: not known), and what happened. */
export interface PlatformDayFigures {
  /** "2026-11-21" */
  readonly day: Day;
  readonly users: number | null;
  readonly zones: number | null;
  readonly files: number | null;
  readonly storage: number | null;
  readonly newUsers: number;
  readonly mails: number;
  readonly views: number;
  readonly downloads: number;
  readonly joins: number;
  readonly leaves: number;
}

interface Month {
  readonly newUsers: number;
  readonly mails: number;
}

/** Figures of the whole installation, for super admins. They are read from what the clock job added up. */
@Injectable()
export class PlatformFiguresService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** The totals as the last roll-up left them; before the first one they are counted at once. */
  async totals(): Promise<PlatformFigures> {
    const newest = await query<typeof PlatformDaySchema>(this.em)
      .selectFrom('platform_day')
      .select(['users', 'zones', 'public_zones', 'files', 'bytes', 'campaigns', 'updated_at'])
      .where('users', 'is not', null)
      .orderBy('day', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!newest) return toFigures(await this.countStocks(), await this.countMonth(), this.clock.now());
    return toFigures(newest as PlatformStocks, await this.rolledMonth(), new Date(newest.updated_at));
  }

  /**
   * The days up to today, the oldest first, one entry a day.
   * @param days how many, today included
   */
  async series(days: number): Promise<PlatformDayFigures[]> {
    const today = dayOf(this.clock.now());
    const first = addDays(today, 1 - days);
    const { rows } = await sql<PlatformDayFigures>`
      select to_char(at.day, 'YYYY-MM-DD') as day, d.users, d.zones, d.files, d.bytes as storage,
        coalesce(d.new_users, 0) as "newUsers", coalesce(d.mails, 0) as mails, coalesce(d.views, 0) as views,
        coalesce(d.downloads, 0) as downloads, coalesce(d.joins, 0) as joins, coalesce(d.leaves, 0) as leaves
      from generate_series(${first}::date, ${today}::date, interval '1 day') at(day)
      left join platform_day d on d.day = at.day::date
      order by at.day`.execute(query<typeof PlatformDaySchema>(this.em));
    return rows;
  }

  private async countStocks(): Promise<PlatformStocks> {
    const { rows } = await platformStocks.execute(this.em.getKysely());
    return rows[0]!;
  }

  private async countMonth(): Promise<Month> {
    const since = startOf(this.month());
    const { rows } = await sql<Month>`
      select (select count(*)::int from users where created_at >= ${since} and erased_at is null) as "newUsers",
        (select count(*)::int from deliveries where sent_at >= ${since} and state = 'delivered') as mails`.execute(
      this.em.getKysely(),
    );
    return rows[0]!;
  }

  private async rolledMonth(): Promise<Month> {
    const { rows } = await sql<Month>`
      select coalesce(sum(new_users), 0)::int as "newUsers", coalesce(sum(mails), 0)::int as mails
      from platform_day where day >= ${this.month()}::date`.execute(query<typeof PlatformDaySchema>(this.em));
    return rows[0]!;
  }

  private month(): Day {
    return `${dayOf(this.clock.now()).slice(0, 7)}-01`;
  }
}

function toFigures(stocks: PlatformStocks, month: Month, asOf: Date): PlatformFigures {
  return {
    asOf,
    totalUsers: stocks.users,
    newUsersThisMonth: month.newUsers,
    totalZones: stocks.zones,
    publicZones: stocks.public_zones,
    privateZones: stocks.zones - stocks.public_zones,
    totalFiles: stocks.files,
    totalStorage: Number(stocks.bytes),
    totalCampaigns: stocks.campaigns,
    emailsSentThisMonth: month.mails,
  };
}
