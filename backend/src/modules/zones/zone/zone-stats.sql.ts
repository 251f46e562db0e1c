import { sql, type RawBuilder } from 'kysely';

/** The statement that adjusts a zone's number of members, as a CTE to combine with others. */
export const adjustMemberCountSql = (
  zoneId: number,
  amount: number,
  { from, returning }: { from: RawBuilder<unknown>; returning: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`
  update zone_stats set members = members + ${amount} from ${from} where zone_id = ${zoneId} returning ${returning}`;
