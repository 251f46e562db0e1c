import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { Day } from '../day.js';
import { counterColumnsSql, counters, isCountedSql, rolledUpUntilSql } from '../shared/roll-up-counters.sql.js';
import { platformGaugesSql, type PlatformGauges } from '../shared/roll-up-gauges.sql.js';
import { countersBetweenSql, dayBoundsSql, dayStartSql, rowDaySql } from '../shared/time-zone-days.sql.js';

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

/** Statistics of the whole installation: roll-ups, plus what has been recorded since. */
@Injectable()
export class PlatformFiguresRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one entry per day, oldest first. */
  async fetchDays(first: Day, last: Day, timeZone: string): Promise<PlatformDayFigures[]> {
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
      order by b.day`.execute(query(this.em));
    return rows.map((row) => ({ ...row, storage: row.storage === null ? null : Number(row.storage) }));
  }

  /** Returns the current gauges. */
  async fetchGauges(): Promise<PlatformGauges> {
    const { rows } = await platformGaugesSql.execute(query(this.em));
    return rows[0]!;
  }

  /** Returns the new users and sent emails since the start of a day. */
  async countArrivalsSince(first: Day, timeZone: string): Promise<{ newUsers: number; mails: number }> {
    const begin = dayStartSql(first, timeZone);
    const since = sql`greatest(${begin}, ${recountedUntilSql})`;
    const { rows } = await sql<{ newUsers: number; mails: number }>`
      select a.new_users + (
          select count(*)::int from users where created_at >= ${since} and erased_at is null) as "newUsers",
        a.mails + (select count(*)::int from deliveries where sent_at >= ${since} and state = 'delivered') as mails
      from ${countersBetweenSql('platform', null, [begin, since], arrivalCounters)} a`.execute(query(this.em));
    return rows[0]!;
  }
}
