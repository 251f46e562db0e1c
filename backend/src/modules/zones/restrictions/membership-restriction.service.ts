import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { MemberRemovalSchema, ZoneBlockSchema } from './zone-block.entity.js';

type Tables = typeof MemberRemovalSchema | typeof ZoneBlockSchema | typeof UserSchema;

/** Whether a person who uses a link may join, was removed, or is blocked. */
export type RestrictionState = 'free' | 'removed' | 'blocked';

/** Manages people whom the owner of a zone has removed or blocked. */
@Injectable()
export class MembershipRestrictionService {
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
    const person = await query<Tables>(this.em)
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return person !== undefined && (await this.getRestriction(this.em, zoneId, person.id)) !== 'free';
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

  /**
   * Deletes requests of people who are added without them, pending or declined. Must be called before memberships are
   * written, because approvals lock the request first.
   */
  async deleteJoinRequests(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    await sql`
      delete from join_requests where id in (
        select id from join_requests where zone_id = ${zoneId} and user_id = any(${[...userIds]}::bigint[])
        order by id for update
      )`.execute(query<Tables>(em));
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
}

const bulkInsertLockName = (zoneId: number) => `kept-out-many:${zoneId}`;
