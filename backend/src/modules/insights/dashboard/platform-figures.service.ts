import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { rolledUpUntilSql } from '../owner-days.service.js';
import { addDays, dayInTimeZone, type Day } from '../day.js';
import { counterColumnsSql, counters, isCountedSql } from '../shared/roll-up-counters.js';
import { platformGaugesSql, type PlatformGauges } from '../shared/roll-up-gauges.js';
import { dayStartSql, dayBoundsSql, rowDaySql, countersBetweenSql } from '../time-zone-days.js';

/** Totals of the installation. Sizes in bytes; months in the viewer's time zone. */
export type PlatformFigures = Awaited<ReturnType<PlatformFiguresService['getTotals']>>;

/** One day of the installation in the viewer's time zone: gauges at its end (null: unknown), and counters. */
export interface PlatformDayFigures {
  /** For example "2026-11-21". */
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

/** New users and sent emails, which are rolled up every ten minutes. */
const arrivalCounters = ['new_users', 'mails'];

/**
 * Until when these counters are read from the roll-ups: the start of the day before the last recount, which is
 * complete. Later ones are counted at query time, so that results are current.
 */
const recountedUntilSql = sql`(coalesce((select date_trunc('day', through, 'UTC') - interval '1 day' from roll_ups where name = 'recount'),
  'epoch'::timestamptz))`;

/** Statistics of the whole installation for administrators: roll-ups, plus what has been recorded since. */
@Injectable()
export class PlatformFiguresService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the current totals. @param timeZone IANA name, for the start of the month */
  async getTotals(timeZone: string) {
    const now = this.clock.now();
    const [gauges, month] = await Promise.all([
      this.fetchGauges(),
      this.fetchMonth(`${dayInTimeZone(now, timeZone).slice(0, 7)}-01`, timeZone),
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
      this.fetchDays(addDays(last, 1 - days), last, timeZone),
      this.fetchGauges(),
    ]);
    const today = { ...rows.at(-1)!, users, zones, files, storage: Number(bytes) };
    return [...rows.slice(0, -1), today];
  }

  private async fetchDays(first: Day, last: Day, timeZone: string): Promise<PlatformDayFigures[]> {
    const sums = Object.keys(counters).map(
      (name) => sql`${sql.ref(`f.${name}`)} + coalesce(${sql.ref(`r.${name}`)}, 0) as ${sql.ref(name)}`,
    );
    const upToRecount = (end: string) => sql`least(${sql.ref(`b.${end}`)}, ${recountedUntilSql})`;
    const { rows } = await sql<PlatformDayFigures>`
      with bounds as (${dayBoundsSql({ first, last, timeZone })}), recent as (
        select ${rowDaySql(timeZone)} as day, ${counterColumnsSql} from activity
        where created_at >= ${rolledUpUntilSql} and ${isCountedSql} group by 1
      ), newcomers as (
        select ${rowDaySql(timeZone)} as day, count(*)::int as new_users from users
        where created_at >= ${recountedUntilSql} and erased_at is null group by 1
      ), sent as (
        select ${rowDaySql(timeZone, 'sent_at')} as day, count(*)::int as mails from deliveries
        where sent_at >= ${recountedUntilSql} and state = 'delivered' group by 1
      )
      select to_char(b.day, 'YYYY-MM-DD') as day, k.users, k.zones, k.files, k.bytes as storage, ${sql.join(sums)},
        a.new_users + coalesce(n.new_users, 0) as "newUsers", a.mails + coalesce(s.mails, 0) as mails
      from bounds b
      cross join lateral ${countersBetweenSql('platform', null, [sql`b.starts`, sql`b.ends`])} f
      cross join lateral ${countersBetweenSql('platform', null, [upToRecount('starts'), upToRecount('ends')], arrivalCounters)} a
      left join recent r on r.day = b.day left join newcomers n on n.day = b.day left join sent s on s.day = b.day
      left join lateral (
        select * from platform_quarter q where q.at >= b.starts and q.at < b.ends and q.users is not null
        order by q.at desc limit 1
      ) k on true
      order by b.day`.execute(this.em.getKysely());
    return rows.map((row) => ({ ...row, storage: row.storage === null ? null : Number(row.storage) }));
  }

  private async fetchGauges(): Promise<PlatformGauges> {
    const { rows } = await platformGaugesSql.execute(this.em.getKysely());
    return rows[0]!;
  }

  private async fetchMonth(first: Day, timeZone: string): Promise<{ newUsers: number; mails: number }> {
    const begin = dayStartSql(first, timeZone);
    const since = sql`greatest(${begin}, ${recountedUntilSql})`;
    const { rows } = await sql<{ newUsers: number; mails: number }>`
      select a.new_users + (
          select count(*)::int from users where created_at >= ${since} and erased_at is null) as "newUsers",
        a.mails + (select count(*)::int from deliveries where sent_at >= ${since} and state = 'delivered') as mails
      from ${countersBetweenSql('platform', null, [begin, since], arrivalCounters)} a`.execute(this.em.getKysely());
    return rows[0]!;
  }
}
