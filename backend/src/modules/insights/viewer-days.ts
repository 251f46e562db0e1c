import { sql, type RawBuilder } from 'kysely';
import type { Day } from './day.js';
import { flows, tables } from './shared/roll-up-flows.js';

/** What a time zone calls the days from the first to the last, both included. */
export interface ViewerDays {
  readonly first: Day;
  readonly last: Day;
  /** IANA name. */
  readonly timeZone: string;
}

const platform = { day: sql.table('platform_day'), quarter: sql.table('platform_quarter'), key: null };

/** The instant at which a day begins in a time zone. */
export const beginOf = (day: Day | RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`(${day}::timestamp at time zone ${timeZone})`;

/** `day`, `starts` and `ends` of each of the days. */
export const boundsOf = ({ first, last, timeZone }: ViewerDays): RawBuilder<unknown> => sql`
  select midnight::date as day, midnight at time zone ${timeZone} as starts,
    (midnight + interval '1 day') at time zone ${timeZone} as ends
  from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') midnight`;

/** The day, in a time zone, of a row of `activity` or of users. */
export const dayOfRow = (timeZone: string, column = 'created_at'): RawBuilder<Day> =>
  sql<Day>`(${sql.ref(column)} at time zone ${timeZone})::date`;

/**
 * One row with what was added up between two instants, each of them at a quarter of an hour: whole days (UTC), and at both
 * ends what the quarters tell. So a year costs hardly more than its days, whichever time zone they are of.
 * @param id of the zone or the owner; null for the platform
 * @param names of the figures
 */
export function flowsBetween(
  of: 'zone' | 'owner' | 'platform',
  id: RawBuilder<unknown> | null,
  [starts, ends]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
  names: readonly string[] = Object.keys(flows),
): RawBuilder<unknown> {
  const { day, quarter, key } = of === 'platform' ? platform : tables[of];
  const mine = key && id ? sql`${key} = ${id} and` : sql``;
  const sums = sql.join(names.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::int as ${sql.ref(name)}`));
  const till = (end: RawBuilder<unknown>) => sql`(
    select ${sums} from ${quarter} where ${mine} at >= date_trunc('day', ${end}, 'UTC') and at < ${end})`;
  const total = names.map((name) => {
    const [whole, late, early] = ['whole', 'late', 'early'].map((part) => sql.ref(`${part}.${name}`));
    return sql`${whole} + ${late} - ${early} as ${sql.ref(name)}`;
  });
  return sql`(
    select ${sql.join(total)}
    from (select ${sums} from ${day} where ${mine} day >= (${starts} at time zone 'UTC')::date
        and day < (${ends} at time zone 'UTC')::date) whole,
      ${till(ends)} late, ${till(starts)} early)`;
}
