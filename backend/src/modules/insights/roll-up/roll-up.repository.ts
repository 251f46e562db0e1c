import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { addDays, utcStartOf, type Day } from '../day.js';
import type { DirtyDaySchema, RollUpSchema } from '../entities/roll-ups.entity.js';
import { counterColumnsSql, counters, isCountedSql, rollUpTables } from '../shared/roll-up-counters.sql.js';
import { platformGaugesSql } from '../shared/roll-up-gauges.sql.js';

type Tables = typeof DirtyDaySchema | typeof RollUpSchema;

/** A range of days, both ends inclusive, counted from the records before `through`. */
export interface Span {
  readonly first: Day;
  readonly last: Day;
  readonly through: Date;
}

/**
 * `activity`, `reading`: how far records of activity and page reads are counted; `recount`: when full values of the
 * activity were last written.
 */
type StateName = 'activity' | 'recount' | 'reading';

export const NEVER = utcStartOf('1970-01-01');

/** The unit of roll-ups: a day (UTC) or a quarter of an hour. In every time zone, days start at such a quarter. */
type Unit = 'day' | 'quarter';

const timeUnits = {
  day: { column: sql.ref('day'), of: (at: RawBuilder<unknown>) => sql`(${at} at time zone 'UTC')::date` },
  quarter: {
    column: sql.ref('at'),
    of: (at: RawBuilder<unknown>) => sql`date_bin('15 minutes', ${at}, 'epoch'::timestamptz)`,
  },
};
const createdAtSql = sql.ref('created_at');

/** Returns the start of an instant's quarter of an hour. */
const quarterSql = (at: Date): RawBuilder<Date> =>
  sql<Date>`date_bin('15 minutes', ${at}::timestamptz, 'epoch'::timestamptz)`;

/** Roll-ups of the activity by day (UTC) and by quarter of an hour, for zones, owners and the installation. */
@Injectable()
export class RollUpRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Writes full counter values of a range by zone or owner. Idempotent; deleted records no longer count. If a row can't
   * be locked because its zone or owner is being changed or deleted, its day is marked to be recounted.
   */
  async writeCounters(unit: Unit, em: EntityManager, of: keyof typeof rollUpTables, span: Span): Promise<void> {
    const { key, parents, [unit]: table } = rollUpTables[of];
    const { column, of: unitOf } = timeUnits[unit];
    await sql`
      with counted as (
        select ${key}, ${unitOf(createdAtSql)} as ${column}, ${counterColumnsSql}
        from activity
        where ${isWithinSpanSql(span)} and ${isCountedSql} and ${key} is not null
        group by 1, 2
      ), written as (
        select * from ${table} where ${isRowInSpanSql(unit, span)}
      ), changed as (
        select ${key}, ${column}, coalesce(c.views, 0) as views, coalesce(c.downloads, 0) as downloads,
          coalesce(c.joins, 0) as joins, coalesce(c.leaves, 0) as leaves
        from counted c full join written w using (${key}, ${column})
        where (coalesce(c.views, 0), coalesce(c.downloads, 0), coalesce(c.joins, 0), coalesce(c.leaves, 0))
          is distinct from (w.views, w.downloads, w.joins, w.leaves)
      ), standing as (
        select p.id from ${parents} p where p.id in (select ${key} from changed) order by p.id for key share skip locked
      ), marked as (
        insert into dirty_days (day)
        select distinct ${unit === 'day' ? sql`c.day` : timeUnits.day.of(sql`c.at`)}
        from changed c join ${parents} p on p.id = c.${key} where p.id not in (select id from standing)
        on conflict do nothing
      )
      insert into ${table} (${key}, ${column}, views, downloads, joins, leaves)
      select ${key}, ${column}, views, downloads, joins, leaves
      from changed join standing on standing.id = ${key}
      on conflict (${key}, ${column}) do update set views = excluded.views, downloads = excluded.downloads,
        joins = excluded.joins, leaves = excluded.leaves`.execute(query(em));
  }

  /** Writes full counter values of the whole installation for a range. */
  async writePlatformCounters(unit: Unit, em: EntityManager, span: Span): Promise<void> {
    const { column, of: unitOf } = timeUnits[unit];
    const table = unit === 'day' ? sql.table('platform_day') : sql.table('platform_quarter');
    const [start, end] = [utcStartOf(span.first), utcStartOf(addDays(span.last, 1))];
    await sql`
      with recorded as (
        select ${unitOf(createdAtSql)} as ${column}, ${counterColumnsSql} from activity where ${isWithinSpanSql(span)} and ${isCountedSql} group by 1
      ), newcomers as (
        select ${unitOf(createdAtSql)} as ${column}, count(*)::int as new_users from users
        where created_at >= ${start} and created_at < ${end} and erased_at is null group by 1
      ), sent as (
        select ${unitOf(sql.ref('sent_at'))} as ${column}, count(*)::int as mails from deliveries
        where sent_at >= ${start} and sent_at < ${end} and state = 'delivered' group by 1
      ), all_units as (
        select ${column} from recorded union select ${column} from newcomers union select ${column} from sent
        union select ${column} from ${table} where ${isRowInSpanSql(unit, span)}
      )
      insert into ${table} (${column}, new_users, mails, views, downloads, joins, leaves)
      select u.${column}, coalesce(n.new_users, 0), coalesce(s.mails, 0), coalesce(r.views, 0), coalesce(r.downloads, 0),
        coalesce(r.joins, 0), coalesce(r.leaves, 0)
      from all_units u left join recorded r using (${column}) left join newcomers n using (${column})
        left join sent s using (${column})
      on conflict (${column}) do update set new_users = excluded.new_users, mails = excluded.mails, views = excluded.views,
        downloads = excluded.downloads, joins = excluded.joins, leaves = excluded.leaves`.execute(query(em));
  }

  /**
   * Adds what was recorded from `from` until before `until` by zone, by owner and for the installation, reading the
   * records once. Days are marked as in `writeCounters`. New users and sent emails are only written with full values.
   */
  async addCounters(em: EntityManager, from: Date, until: Date): Promise<void> {
    await sql`
      with recorded as materialized (
        select zone_id, owner_id, type, ${timeUnits.day.of(createdAtSql)} as day, ${timeUnits.quarter.of(createdAtSql)} as at from activity
        where created_at >= ${from} and created_at < ${until} and ${isCountedSql}
      ), ${addCountersSql('zone')}, ${addCountersSql('owner')}, platform_days_written as (
        insert into platform_day as d (day, views, downloads, joins, leaves)
        select day, views, downloads, joins, leaves
        from (select day, ${counterColumnsSql} from recorded group by day) counted
        on conflict (day) do update set ${addToExistingSql}
      )
      insert into platform_quarter as d (at, views, downloads, joins, leaves)
      select at, views, downloads, joins, leaves
      from (select at, ${counterColumnsSql} from recorded group by at) counted
      on conflict (at) do update set ${addToExistingSql}`.execute(query(em));
  }

  /** Writes the gauges of zones that have changed since their last row. */
  async writeZoneGauges(em: EntityManager, now: Date): Promise<void> {
    await sql`
      insert into zone_quarter (zone_id, at, bytes)
      select z.id, ${quarterSql(now)}, s.bytes
      from zones z
      join zone_stats s on s.zone_id = z.id
      left join lateral (
        select d.bytes from zone_quarter d where d.zone_id = z.id and d.bytes is not null order by d.at desc limit 1
      ) last on true
      where z.deleted_at is null and last.bytes is distinct from s.bytes
      order by z.id
      for key share of z skip locked
      on conflict (zone_id, at) do update set bytes = excluded.bytes`.execute(query(em));
  }

  /**
   * Writes the gauges of owners that have changed since their last row. Owners with a usage row have had a zone at some
   * time.
   */
  async writeOwnerGauges(em: EntityManager, now: Date): Promise<void> {
    await sql`
      with present as (
        select z.owner_id, count(*)::int as zones, sum(s.files)::int as files, sum(s.bytes)::bigint as bytes
        from zones z join zone_stats s on s.zone_id = z.id
        where z.deleted_at is null group by z.owner_id
      ), people as (
        select owner_id, count(*)::int as members from audience where zones > 0 group by owner_id
      ), owners as (
        select owner_id from present
        union select owner_id from usage where metric = 'zones' and period = ''
      ), changed as (
        select o.owner_id, coalesce(p.zones, 0) as zones, coalesce(p.files, 0) as files,
          coalesce(m.members, 0) as members, coalesce(p.bytes, 0) as bytes
        from owners o left join present p on p.owner_id = o.owner_id left join people m on m.owner_id = o.owner_id
        left join lateral (
          select d.zones, d.files, d.members, d.bytes from owner_quarter d
          where d.owner_id = o.owner_id and d.zones is not null order by d.at desc limit 1
        ) last on true
        where (coalesce(p.zones, 0), coalesce(p.files, 0), coalesce(m.members, 0), coalesce(p.bytes, 0))
          is distinct from (last.zones, last.files, last.members, last.bytes)
      ), standing as (
        select u.id from users u where u.id in (select owner_id from changed) order by u.id for key share skip locked
      )
      insert into owner_quarter (owner_id, at, zones, files, members, bytes)
      select owner_id, ${quarterSql(now)}, zones, files, members, bytes
      from changed join standing on standing.id = owner_id
      on conflict (owner_id, at) do update set zones = excluded.zones, files = excluded.files,
        members = excluded.members, bytes = excluded.bytes`.execute(query(em));
  }

  /** Writes the current gauges of the whole installation. */
  async writePlatformGauges(em: EntityManager, now: Date): Promise<void> {
    await sql`
      insert into platform_quarter (at, users, zones, files, bytes)
      select ${quarterSql(now)}, users, zones, files, bytes from (${platformGaugesSql}) present
      on conflict (at) do update set users = excluded.users, zones = excluded.zones, files = excluded.files,
        bytes = excluded.bytes`.execute(query(em));
  }

  /**
   * Locks the position until the commit, which serialises writes, so that an older count never overwrites a newer one.
   * @returns the position: how far records are counted
   */
  async lockPosition(em: EntityManager, name: 'activity' | 'reading' = 'activity'): Promise<Date> {
    const db = query<Tables>(em);
    await db
      .insertInto('roll_ups')
      .values({ name, through: NEVER })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await db
      .selectFrom('roll_ups')
      .select('through')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return new Date(row.through);
  }

  async getState(name: StateName): Promise<Date> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('roll_ups')
      .select('through')
      .where('name', '=', name)
      .executeTakeFirst();
    return row ? new Date(row.through) : NEVER;
  }

  async setState(em: EntityManager, name: StateName, through: Date): Promise<void> {
    await query<Tables>(em)
      .insertInto('roll_ups')
      .values({ name, through })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ through }))
      .execute();
  }

  /** Returns the days with late records, which must be recounted. */
  async findDirtyDays(): Promise<Day[]> {
    const { rows } = await sql<{ day: Day }>`select day::text from dirty_days order by day`.execute(
      query<Tables>(this.em.fork()),
    );
    return rows.map(({ day }) => day);
  }

  async deleteDirtyDay(em: EntityManager, day: Day): Promise<void> {
    await sql`delete from dirty_days where day = ${day}::date`.execute(query<Tables>(em));
  }

  /** Returns the day of the oldest record, or null without records. */
  async findFirstRecordedDay(): Promise<Day | null> {
    const { rows } = await sql<{ day: Day | null }>`
      select (min(created_at at time zone 'UTC')::date)::text as day from activity`.execute(
      query<Tables>(this.em.fork()),
    );
    return rows[0]!.day;
  }
}

/**
 * Common table expressions of that statement: counters per zone or owner, lockable parents, marked days, and the
 * upserts.
 */
function addCountersSql(of: keyof typeof rollUpTables): RawBuilder<unknown> {
  const { key, parents, day, quarter } = rollUpTables[of];
  const named = (name: string) => sql.table(`${of}_${name}`);
  return sql`
    ${named('counted')} as (
      select ${key} as id, day, at, ${counterColumnsSql} from recorded where ${key} is not null group by 1, 2, 3
    ), ${named('standing')} as (
      select p.id from ${parents} p where p.id in (select id from ${named('counted')}) order by p.id
      for key share skip locked
    ), ${named('marked')} as (
      insert into dirty_days (day)
      select distinct day from ${named('counted')} join ${parents} p using (id)
      where id not in (select id from ${named('standing')})
      on conflict do nothing
    ), ${named('days_written')} as (
      insert into ${day} as d (${key}, day, views, downloads, joins, leaves)
      select id, day, sum(views), sum(downloads), sum(joins), sum(leaves)
      from ${named('counted')} join ${named('standing')} using (id) group by id, day order by id, day
      on conflict (${key}, day) do update set ${addToExistingSql}
    ), ${named('quarters_written')} as (
      insert into ${quarter} as d (${key}, at, views, downloads, joins, leaves)
      select id, at, views, downloads, joins, leaves
      from ${named('counted')} join ${named('standing')} using (id) order by id, at
      on conflict (${key}, at) do update set ${addToExistingSql}
    )`;
}

const addToExistingSql: RawBuilder<unknown> = sql.join(
  Object.keys(counters).map((name) => sql`${sql.ref(name)} = d.${sql.ref(name)} + excluded.${sql.ref(name)}`),
);

function isWithinSpanSql({ first, last, through }: Span): RawBuilder<boolean> {
  const end = utcStartOf(addDays(last, 1));
  return sql<boolean>`created_at >= ${utcStartOf(first)} and created_at < ${end < through ? end : through}`;
}

/** SQL condition on the roll-up rows of a range. */
function isRowInSpanSql(unit: Unit, { first, last }: Span): RawBuilder<boolean> {
  if (unit === 'day') return sql<boolean>`day between ${first}::date and ${last}::date`;
  return sql<boolean>`at >= ${utcStartOf(first)} and at < ${utcStartOf(addDays(last, 1))}`;
}
