import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { countRows } from '../../../platform/http/lists/list.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { MemberRemovalSchema, ZoneBlockSchema } from './zone-block.entity.js';

type Tables = typeof MemberRemovalSchema | typeof ZoneBlockSchema | typeof UserSchema;

/** Whether a person who uses a link may join, was removed, or is blocked. */
export type RestrictionState = 'free' | 'removed' | 'blocked';

/** People whom the owner of a zone has removed or blocked. */
@Injectable()
export class MembershipRestrictionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Serialises, until the commit, joining by a link and removing the same person. Otherwise a join that checked before
   * a removal could write after it. Must be taken after the zone lock and before memberships are locked.
   */
  async lockPerson(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    const name = `kept-out:${zoneId}:${userId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query<Tables>(em));
  }

  /** Shared lock for bulk inserts, which don't lock each person; blocks wait for it until the commit. */
  async lockZoneForBulkInsert(em: EntityManager, zoneId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${bulkInsertLockName(zoneId)}, 0))`.execute(
      query<Tables>(em),
    );
  }

  /** Exclusive counterpart for blocking a person; must be taken before `lockPerson`. */
  async lockZoneAgainstBulkInsert(em: EntityManager, zoneId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${bulkInsertLockName(zoneId)}, 0))`.execute(
      query<Tables>(em),
    );
  }

  /** Returns a person's restriction; reliable until the commit only after `lockPerson`. */
  async getRestriction(em: EntityManager, zoneId: number, userId: number): Promise<RestrictionState> {
    const { rows } = await sql<{ state: RestrictionState }>`
      select case
        when exists (select from zone_blocks where zone_id = ${zoneId} and user_id = ${userId}) then 'blocked'
        when exists (select from member_removals where zone_id = ${zoneId} and user_id = ${userId}) then 'removed'
        else 'free' end as state`.execute(query<Tables>(em));
    return rows[0]!.state;
  }

  /**
   * Whether the person with this address is restricted in a zone. Only for callers who have proved ownership of the
   * address.
   */
  async isRestricted(zoneId: number, email: string): Promise<boolean> {
    const { rows } = await sql<{ isRestricted: boolean }>`
      select exists (
        select from users u where u.email = ${email} and u.erased_at is null and (
          exists (select from zone_blocks where zone_id = ${zoneId} and user_id = u.id)
          or exists (select from member_removals where zone_id = ${zoneId} and user_id = u.id)
        )
      ) as "isRestricted"`.execute(query<Tables>(this.em));
    return rows[0]!.isRestricted;
  }

  /** Returns the blocked people of a zone, the last blocked first. */
  async listBlocks(zoneId: number, limit: number, cursor?: string) {
    let blocks = this.blocksQuery(zoneId)
      .select(['b.blocked_at as blockedAt', 'u.id as userId', 'u.email as email', 'u.first_name as firstName'])
      .select(['u.last_name as lastName', 'u.username as username', 'u.profile_image_url as profileImageUrl'])
      .orderBy('b.blocked_at', 'desc')
      .orderBy('b.user_id', 'desc')
      .limit(limit);
    if (cursor) blocks = blocks.where(beforeCursor(cursor));
    return blocks.execute();
  }

  countBlocks(zoneId: number): Promise<number> {
    return countRows(this.blocksQuery(zoneId));
  }

  /** Returns whether the person is or was a member of the zone, asked to join it, or is blocked in it. */
  async hasRelation(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const { rows } = await sql<{ isRelated: boolean }>`
      select exists (select from zone_members where zone_id = ${zoneId} and user_id = ${userId})
        or exists (select from join_requests where zone_id = ${zoneId} and user_id = ${userId})
        or exists (select from zone_leaves where zone_id = ${zoneId} and user_id = ${userId})
        or exists (select from zone_blocks where zone_id = ${zoneId} and user_id = ${userId}) as "isRelated"`.execute(
      query<Tables>(em),
    );
    return rows[0]!.isRelated;
  }

  /** Blocks a person; someone already blocked stays blocked since the first time. */
  async insertBlock(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .insertInto('zone_blocks')
      .values({ zone_id: zoneId, user_id: userId, blocked_at: this.clock.now() })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doNothing())
      .execute();
  }

  async deleteBlock(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('zone_blocks')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .execute();
  }

  /** Records in the caller's transaction that the owner removed a person. */
  async recordRemoval(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    const removed = { removed_at: this.clock.now() };
    await query<Tables>(em)
      .insertInto('member_removals')
      .values({ zone_id: zoneId, user_id: userId, ...removed })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doUpdateSet(removed))
      .execute();
  }

  /** Removes the restrictions of people who have joined, in whatever way. */
  async clearRestriction(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    await sql`
      with removed as (
        delete from member_removals where zone_id = ${zoneId} and user_id = any(${[...userIds]}::bigint[])
      )
      delete from zone_blocks where zone_id = ${zoneId} and user_id = any(${[...userIds]}::bigint[])`.execute(
      query<Tables>(em),
    );
  }

  private blocksQuery(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_blocks as b')
      .innerJoin('users as u', 'u.id', 'b.user_id')
      .where('b.zone_id', '=', zoneId)
      .where('u.erased_at', 'is', null);
  }
}

/** @throws VALIDATION_FAILED for an invalid cursor */
function beforeCursor(cursor: string) {
  return sql<boolean>`(b.blocked_at, b.user_id) < ${cursorTuple(cursor, ['timestamptz', 'bigint'])}`;
}

const bulkInsertLockName = (zoneId: number) => `kept-out-many:${zoneId}`;
