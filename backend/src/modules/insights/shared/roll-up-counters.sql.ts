import { sql, type RawBuilder } from 'kysely';

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

/** How far the roll-ups reach. What was recorded since is counted at query time, so that results are current. */
export const rolledUpUntilSql: RawBuilder<Date> = sql<Date>`
  coalesce((select through from roll_ups where name = 'activity'), 'epoch'::timestamptz)`;
