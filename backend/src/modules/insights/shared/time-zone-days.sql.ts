import { sql, type RawBuilder } from 'kysely';
import type { Day } from '../day.js';
import { counters, rollUpTables } from './roll-up-counters.sql.js';

/** A range of days in a time zone, both ends inclusive. */
export interface TimeZoneDays {
  readonly first: Day;
  readonly last: Day;
  /** IANA name. */
  readonly timeZone: string;
}

const platformTables = { day: sql.table('platform_day'), quarter: sql.table('platform_quarter'), key: null };

/** Returns the start of a day in a time zone. */
export const dayStartSql = (day: Day | RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`(${day}::timestamp at time zone ${timeZone})`;

/** Selects `day`, `starts` and `ends` of every day. */
export const dayBoundsSql = ({ first, last, timeZone }: TimeZoneDays): RawBuilder<unknown> => sql`
  select midnight::date as day, midnight at time zone ${timeZone} as starts,
    (midnight + interval '1 day') at time zone ${timeZone} as ends
  from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') midnight`;

/** Returns the day, in a time zone, of a row of `activity` or `users`. */
export const rowDaySql = (timeZone: string, column = 'created_at'): RawBuilder<Day> =>
  sql<Day>`(${sql.ref(column)} at time zone ${timeZone})::date`;

/**
 * Selects one row with the counters between two instants, both at the start of a quarter of an hour: whole days (UTC),
 * corrected by the quarters at both ends. So a year costs little more than its days, whatever the time zone.
 * @param id of the zone or owner; null for the platform
 * @param names of the counters
 */
export function countersBetweenSql(
  of: 'zone' | 'owner' | 'platform',
  id: RawBuilder<unknown> | null,
  [starts, ends]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
  names: readonly string[] = Object.keys(counters),
): RawBuilder<unknown> {
  const { day, quarter, key } = of === 'platform' ? platformTables : rollUpTables[of];
  const keyCondition = key && id ? sql`${key} = ${id} and` : sql``;
  const sums = sql.join(names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::int as ${sql.ref(name)}`));
  const quartersUntilSql = (end: RawBuilder<unknown>) => sql`(
    select ${sums} from ${quarter} where ${keyCondition} at >= date_trunc('day', ${end}, 'UTC') and at < ${end})`;
  const totalsSql = names.map((name) => {
    const [whole, late, early] = ['whole', 'late', 'early'].map((part) => sql.ref(`${part}.${name}`));
    return sql`${whole} + ${late} - ${early} as ${sql.ref(name)}`;
  });
  return sql`(
    select ${sql.join(totalsSql)}
    from (select ${sums} from ${day} where ${keyCondition} day >= (${starts} at time zone 'UTC')::date
        and day < (${ends} at time zone 'UTC')::date) whole,
      ${quartersUntilSql(ends)} late, ${quartersUntilSql(starts)} early)`;
}
