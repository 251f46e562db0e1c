import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { addDays, utcStartOf, type Day } from '../day.js';

/** A range of days, both ends inclusive, counted from the records before `through`. */
export interface Span {
  readonly first: Day;
  readonly last: Day;
  readonly through: Date;
}

/** The counters of a roll-up with the activity types that they count. */
export const counters = {
  views: ['file.viewed'],
  downloads: ['file.downloaded'],
  joins: ['member.joined'],
  leaves: ['member.left', 'member.removed', 'member.expired'],
} as const;

const countedTypes = Object.values(counters).flat();

/** One `count(*)` column per counter, over rows of `activity`. */
export const counterColumnsSql: RawBuilder<unknown> = sql.join(
  Object.entries(counters).map(
    ([name, types]) =>
      sql`count(*) filter (where type = any(${sql.lit(`{${types.join(',')}}`)}))::int as ${sql.ref(name)}`,
  ),
);

/** SQL condition on rows of `activity`: a counter includes them. */
export const isCountedSql: RawBuilder<boolean> = sql<boolean>`type = any(${sql.lit(`{${countedTypes.join(',')}}`)})`;

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

/** The roll-up tables by subject and unit. */
export const rollUpTables = {
  zone: {
    day: sql.table('zone_day'),
    quarter: sql.table('zone_quarter'),
    key: sql.ref('zone_id'),
    parents: sql.table('zones'),
  },
  owner: {
    day: sql.table('owner_day'),
    quarter: sql.table('owner_quarter'),
    key: sql.ref('owner_id'),
    parents: sql.table('users'),
  },
};

/**
 * Writes full counter values of a range by zone or owner. Idempotent; deleted records no longer count. If a row can't
 * be locked because its zone or owner is being changed or deleted, its day is marked to be recounted.
 */
export async function writeCounters(
  unit: Unit,
  em: EntityManager,
  of: keyof typeof rollUpTables,
  span: Span,
): Promise<void> {
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
      joins = excluded.joins, leaves = excluded.leaves`.execute(em.getKysely());
}

/** Writes full counter values of the whole installation for a range. */
export async function writePlatformCounters(unit: Unit, em: EntityManager, span: Span): Promise<void> {
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
      downloads = excluded.downloads, joins = excluded.joins, leaves = excluded.leaves`.execute(em.getKysely());
}

/**
 * Adds what was recorded from `from` until before `until` by zone, by owner and for the installation, reading the
 * records once. Days are marked as in `writeCounters`. New users and sent emails are only written with full values.
 */
export async function addCounters(em: EntityManager, from: Date, until: Date): Promise<void> {
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
    on conflict (at) do update set ${addToExistingSql}`.execute(em.getKysely());
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
