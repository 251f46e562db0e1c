import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { addDays, startOf, type Day } from './day.js';

/** Days from the first to the last, both included, counted from the records before `through`. */
export interface Span {
  readonly first: Day;
  readonly last: Day;
  readonly through: Date;
}

/** The figures of a roll-up, with the types of the records that they count. */
export const flows = {
  views: ['file.viewed'],
  downloads: ['file.downloaded'],
  joins: ['member.joined'],
  leaves: ['member.left', 'member.removed', 'member.expired'],
} as const;

const counted = Object.values(flows).flat();

/** `count(*)` of each figure over rows of `activity`. */
export const flowCounts: RawBuilder<unknown> = sql.join(
  Object.entries(flows).map(
    ([name, types]) =>
      sql`count(*) filter (where type = any(${sql.lit(`{${types.join(',')}}`)}))::int as ${sql.ref(name)}`,
  ),
);

/** True for rows of `activity` that any figure counts. */
export const isCounted: RawBuilder<boolean> = sql<boolean>`type = any(${sql.lit(`{${counted.join(',')}}`)})`;

/** The day (UTC) of a row of `activity`. */
export const activityDay: RawBuilder<string> = sql<string>`(created_at at time zone 'UTC')::date`;

const tables = {
  zone: { table: sql.table('zone_day'), key: sql.ref('zone_id'), parents: sql.table('zones') },
  owner: { table: sql.table('owner_day'), key: sql.ref('owner_id'), parents: sql.table('users') },
};

/**
 * Writes what was recorded in these days, by zone or by owner, as full values: doing it again changes nothing, and a
 * record that is gone counts no more. A day of which a row could not be locked, because its zone or owner is being changed
 * or deleted, is marked to be counted again.
 */
export async function writeFlows(em: EntityManager, of: keyof typeof tables, span: Span): Promise<void> {
  const { table, key, parents } = tables[of];
  await sql`
    with counted as (
      select ${key}, ${activityDay} as day, ${flowCounts}
      from activity
      where ${isWithin(span)} and ${isCounted} and ${key} is not null
      group by 1, 2
    ), written as (
      select * from ${table} where day between ${span.first}::date and ${span.last}::date
    ), changed as (
      select ${key}, day, coalesce(c.views, 0) as views, coalesce(c.downloads, 0) as downloads,
        coalesce(c.joins, 0) as joins, coalesce(c.leaves, 0) as leaves
      from counted c full join written w using (${key}, day)
      where (coalesce(c.views, 0), coalesce(c.downloads, 0), coalesce(c.joins, 0), coalesce(c.leaves, 0))
        is distinct from (w.views, w.downloads, w.joins, w.leaves)
    ), standing as (
      select p.id from ${parents} p where p.id in (select ${key} from changed) order by p.id for key share skip locked
    ), marked as (
      insert into dirty_days (day)
      select distinct c.day from changed c join ${parents} p on p.id = c.${key} where p.id not in (select id from standing)
      on conflict do nothing
    )
    insert into ${table} (${key}, day, views, downloads, joins, leaves)
    select ${key}, day, views, downloads, joins, leaves
    from changed join standing on standing.id = ${key}
    on conflict (${key}, day) do update set views = excluded.views, downloads = excluded.downloads,
      joins = excluded.joins, leaves = excluded.leaves`.execute(em.getKysely());
}

/** Writes what happened in the whole installation in these days. */
export async function writePlatformFlows(em: EntityManager, span: Span, now: Date): Promise<void> {
  const end = startOf(addDays(span.last, 1));
  await sql`
    with days as (
      select day::date from generate_series(${span.first}::date, ${span.last}::date, interval '1 day') day
    ), recorded as (
      select ${activityDay} as day, ${flowCounts} from activity where ${isWithin(span)} and ${isCounted} group by 1
    ), newcomers as (
      select ${activityDay} as day, count(*)::int as new_users from users
      where created_at >= ${startOf(span.first)} and created_at < ${end} and erased_at is null group by 1
    ), sent as (
      select (sent_at at time zone 'UTC')::date as day, count(*)::int as mails from deliveries
      where sent_at >= ${startOf(span.first)} and sent_at < ${end} and state = 'delivered' group by 1
    )
    insert into platform_day (day, new_users, mails, views, downloads, joins, leaves, updated_at)
    select days.day, coalesce(n.new_users, 0), coalesce(s.mails, 0), coalesce(r.views, 0), coalesce(r.downloads, 0),
      coalesce(r.joins, 0), coalesce(r.leaves, 0), ${now}::timestamptz
    from days left join recorded r using (day) left join newcomers n using (day) left join sent s using (day)
    on conflict (day) do update set new_users = excluded.new_users, mails = excluded.mails, views = excluded.views,
      downloads = excluded.downloads, joins = excluded.joins, leaves = excluded.leaves,
      updated_at = excluded.updated_at`.execute(em.getKysely());
}

/**
 * Adds what was recorded from one instant until before another, by zone, by owner and for the installation, reading it
 * once. Days are marked as by `writeFlows`. How many people came and what was sent is written with full values only.
 */
export async function addFlows(em: EntityManager, from: Date, until: Date, now: Date): Promise<void> {
  await sql`
    with recorded as materialized (
      select zone_id, owner_id, type, ${activityDay} as day from activity
      where created_at >= ${from} and created_at < ${until} and ${isCounted}
    ), ${additionsTo('zone')}, ${additionsTo('owner')}
    insert into platform_day as d (day, views, downloads, joins, leaves, updated_at)
    select day, views, downloads, joins, leaves, ${now}::timestamptz
    from (select day, ${flowCounts} from recorded group by day) counted
    on conflict (day) do update set ${addedTo}`.execute(em.getKysely());
}

/** Parts of that statement: what was recorded of each zone or owner, those whose row stands, and what is written. */
function additionsTo(of: keyof typeof tables): RawBuilder<unknown> {
  const { table, key, parents } = tables[of];
  const [counted, standing] = [sql.table(`${of}_counted`), sql.table(`${of}_standing`)];
  return sql`
    ${counted} as (
      select ${key} as id, day, ${flowCounts} from recorded where ${key} is not null group by 1, 2
    ), ${standing} as (
      select p.id from ${parents} p where p.id in (select id from ${counted}) order by p.id for key share skip locked
    ), ${sql.table(`${of}_marked`)} as (
      insert into dirty_days (day)
      select distinct day from ${counted} join ${parents} p using (id) where id not in (select id from ${standing})
      on conflict do nothing
    ), ${sql.table(`${of}_written`)} as (
      insert into ${table} as d (${key}, day, views, downloads, joins, leaves)
      select id, day, views, downloads, joins, leaves from ${counted} join ${standing} using (id) order by id, day
      on conflict (${key}, day) do update set ${addedTo}
    )`;
}

const addedTo: RawBuilder<unknown> = sql.join(
  Object.keys(flows).map((name) => sql`${sql.ref(name)} = d.${sql.ref(name)} + excluded.${sql.ref(name)}`),
);

function isWithin({ first, last, through }: Span): RawBuilder<boolean> {
  const end = startOf(addDays(last, 1));
  return sql<boolean>`created_at >= ${startOf(first)} and created_at < ${end < through ? end : through}`;
}
