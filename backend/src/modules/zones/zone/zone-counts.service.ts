import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { ZoneStatsSchema } from '../entities/zone-stats.entity.js';

/** What is counted of a zone: `bytes` in bytes, the rest by number. */
export type ZoneCount = 'files' | 'folders' | 'members' | 'bytes';

/** Differences: negative ones take away. */
export type ZoneChange = Partial<Record<ZoneCount, number>>;

/**
 * The one writer of a zone's counts (the row itself is made with the zone). Called late in a transaction, before what the
 * owner uses of the plan: the row stays locked until the commit, and many wait for it.
 */
export async function countInZone(em: EntityManager, zoneId: number, change: ZoneChange): Promise<void> {
  const moved = Object.entries(change).filter(([, amount]) => amount !== 0);
  if (moved.length === 0) return;
  const sums = moved.map(([count, amount]) => [count, sql<number>`${sql.ref(count)} + ${amount}`]);
  await query<typeof ZoneStatsSchema>(em)
    .updateTable('zone_stats')
    .set(Object.fromEntries(sums) as Record<ZoneCount, RawBuilder<number>>)
    .where('zone_id', '=', zoneId)
    .execute();
}

/** The same for members, as a table expression that goes with others in one statement. */
export const countingMembers = (
  zoneId: number,
  amount: number,
  { from, returning }: { from: RawBuilder<unknown>; returning: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`
  update zone_stats set members = members + ${amount} from ${from} where zone_id = ${zoneId} returning ${returning}`;

/**
 * Notes when the content of zones has changed last. The rows are locked by ascending id, all in one statement, before
 * anything else of step 8: changes in zones that mirror each other wait for each other and do not deadlock.
 */
export async function noteContentChange(em: EntityManager, zoneIds: RawBuilder<unknown>, at: Date): Promise<void> {
  await sql`
    with changed as (
      select zone_id from zone_stats where zone_id in (${zoneIds}) order by zone_id for no key update
    )
    update zone_stats s set content_changed_at = greatest(s.content_changed_at, ${at}::timestamptz)
    from changed where s.zone_id = changed.zone_id`.execute(query<typeof ZoneStatsSchema>(em));
}
