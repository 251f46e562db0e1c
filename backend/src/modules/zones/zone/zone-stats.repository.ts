import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { ZoneStatsSchema } from '../entities/zone-stats.entity.js';

/** Counters of a zone: `bytes` in bytes, the others by number. */
export type ZoneCount = 'files' | 'folders' | 'members' | 'bytes';

/** Changes to counters; negative values subtract. */
export type ZoneCountChange = Partial<Record<ZoneCount, number>>;

/** The actual counts of a zone: bytes include the trash and earlier versions, folders exclude mirrors. */
const actualCountsSql = sql`
  cross join lateral (
    select count(*) filter (where trashed_at is null) as files, coalesce(sum(size), 0) + coalesce((
      select sum(v.size) from files x join file_versions v on v.file_id = x.id where x.zone_id = s.zone_id
    ), 0) as bytes
    from files where zone_id = s.zone_id
  ) f cross join lateral (
    select count(*) as folders from folders d where d.zone_id = s.zone_id and d.trashed_at is null
      and not exists (select from folder_mirrors r where r.target_folder_id = d.id)
  ) d cross join lateral (
    select count(*) as members from zone_members m where m.zone_id = s.zone_id and m.role <> 'owner' and m.is_counted
  ) m`;
const isMiscountedSql = sql`(s.files, s.bytes, s.folders, s.members) is distinct from (f.files, f.bytes, d.folders, m.members)`;

/** The counters of zones. Their rows are created with the zones. */
@Injectable()
export class ZoneStatsRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Adjusts a zone's counters. Call it late in a transaction, right before the owner's usage is updated, because the
   * contended row stays locked until the commit.
   */
  async adjustCounts(em: EntityManager, zoneId: number, change: ZoneCountChange): Promise<void> {
    const moved = Object.entries(change).filter(([, amount]) => amount !== 0);
    if (moved.length === 0) return;
    const sums = moved.map(([count, amount]) => [count, sql<number>`${sql.ref(count)} + ${amount}`]);
    await query<typeof ZoneStatsSchema>(em)
      .updateTable('zone_stats')
      .set(Object.fromEntries(sums) as Record<ZoneCount, RawBuilder<number>>)
      .where('zone_id', '=', zoneId)
      .execute();
  }

  /**
   * Records when the content of zones last changed. Locks the rows in id order in a single statement, before the other
   * counter updates (step 8 of the lock order in docs/rules.md), so that changes in zones that mirror each other don't
   * deadlock.
   * @param zoneIds a query that returns the ids
   */
  async recordContentChange(em: EntityManager, zoneIds: RawBuilder<unknown>, at: Date): Promise<void> {
    await sql`
      with changed as (
        select zone_id from zone_stats where zone_id in (${zoneIds}) order by zone_id for no key update
      )
      update zone_stats s set content_changed_at = greatest(s.content_changed_at, ${at}::timestamptz)
      from changed where s.zone_id = changed.zone_id`.execute(query<typeof ZoneStatsSchema>(em));
  }

  /**
   * Returns the zones of an owner whose counters differ from the actual rows, by id; `repairCounts` checks again under
   * the lock.
   */
  async findMiscountedZones(ownerId: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select s.zone_id as id from zones z join zone_stats s on s.zone_id = z.id ${actualCountsSql}
      where z.owner_id = ${ownerId} and z.deleted_at is null and ${isMiscountedSql} order by s.zone_id`.execute(
      query<typeof ZoneStatsSchema>(this.em.fork()),
    );
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Sets a zone's counters to the actual values. Code that changes the rows holds the counters' lock until its commit,
   * so a statement that starts under that lock sees a consistent state. Skips zones being deleted, whose files are
   * removed step by step.
   * @returns whether the counters were wrong
   */
  async repairCounts(em: EntityManager, zoneId: number): Promise<boolean> {
    const db = query<typeof ZoneStatsSchema>(em);
    await sql`select from zone_stats where zone_id = ${zoneId} for no key update`.execute(db);
    const { numAffectedRows } = await sql`
      with counted as (
        select s.zone_id, f.files, f.bytes, d.folders, m.members from zones z join zone_stats s on s.zone_id = z.id ${actualCountsSql}
        where z.id = ${zoneId} and z.deleted_at is null and ${isMiscountedSql}
      )
      update zone_stats set files = counted.files, bytes = counted.bytes, folders = counted.folders, members = counted.members
      from counted where zone_stats.zone_id = counted.zone_id`.execute(db);
    return numAffectedRows === 1n;
  }
}
