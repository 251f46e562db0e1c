import { sql, type RawBuilder } from 'kysely';
import type { Day } from './day.js';
import { counters, rollUpTables } from './shared/roll-up-counters.js';

/** What a time zone calls the days from the first to the last, both included. */
export interface TimeZoneDays {
  readonly first: Day;
  readonly last: Day;
  /** IANA name. */
  readonly timeZone: string;
}

const platformTables = { day: sql.table('platform_day'), quarter: sql.table('platform_quarter'), key: null };

/** The instant at which a day begins in a time zone. */
export const dayStartSql = (day: Day | RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`(${day}::timestamp at time zone ${timeZone})`;

/** `day`, `starts` and `ends` of each of the days. */
export const dayBoundsSql = ({ first, last, timeZone }: TimeZoneDays): RawBuilder<unknown> => sql`
  select midnight::date as day, midnight at time zone ${timeZone} as starts,
    (midnight + interval '1 day') at time zone ${timeZone} as ends
  from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') midnight`;

/** The day, in a time zone, of a row of `activity` or of users. */
export const rowDaySql = (timeZone: string, column = 'created_at'): RawBuilder<Day> =>
  sql<Day>`(${sql.ref(column)} at time zone ${timeZone})::date`;

/**
 * One row with what was added up between two instants, each of them at a quarter of an hour: whole days (UTC), and at both
 * ends what the quarters tell. So a year costs hardly more than its days, whichever time zone they are of.
 * @param id of the zone or the owner; null for the platform
 * @param names of the figures
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
