import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { MemberRemovalSchema, ZoneBlockSchema } from './zone-block.entity.js';

type Tables = typeof MemberRemovalSchema | typeof ZoneBlockSchema | typeof UserSchema;

/** Whether somebody who comes by a link is let in like anybody, was taken out, or was blocked. */
export type RestrictionState = 'free' | 'removed' | 'blocked';

/** Whom the owner of a zone has taken out or blocked. */
@Injectable()
export class MembershipRestrictionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * What a link lets one person do, and what takes that person out, come one after the other until the commit: otherwise a
   * join that looked before a removal would write after it. Taken after the zone is held and before memberships.
   */
  async lockPerson(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    const name = `kept-out:${zoneId}:${userId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query<Tables>(em));
  }

  /** What lets many people in at once takes no lock of each; a block and it come one after the other until the commit. */
  async lockZoneForBulkInsert(em: EntityManager, zoneId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${bulkInsertLockName(zoneId)}, 0))`.execute(
      query<Tables>(em),
    );
  }

  /** The same for whoever blocks somebody; taken before `lock`. */
  async lockZoneAgainstBulkInsert(em: EntityManager, zoneId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${bulkInsertLockName(zoneId)}, 0))`.execute(
      query<Tables>(em),
    );
  }

  /** Whether a person is kept out; true until the commit only after `lock`. */
  async getRestriction(em: EntityManager, zoneId: number, userId: number): Promise<RestrictionState> {
    const { rows } = await sql<{ state: RestrictionState }>`
      select case
        when exists (select from zone_blocks where zone_id = ${zoneId} and user_id = ${userId}) then 'blocked'
        when exists (select from member_removals where zone_id = ${zoneId} and user_id = ${userId}) then 'removed'
        else 'free' end as state`.execute(query<Tables>(em));
    return rows[0]!.state;
  }

  /** True for an address whose person is kept out of a zone; for whoever has shown that the address is theirs. */
  async isRestricted(zoneId: number, email: string): Promise<boolean> {
    const person = await query<Tables>(this.em)
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return person !== undefined && (await this.getRestriction(this.em, zoneId, person.id)) !== 'free';
  }

  /** Notes that the owner took a person out, in the caller's transaction. */
  async recordRemoval(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    const removed = { removed_at: this.clock.now() };
    await query<Tables>(em)
      .insertInto('member_removals')
      .values({ zone_id: zoneId, user_id: userId, ...removed })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doUpdateSet(removed))
      .execute();
  }

  /**
   * Whoever is let in without a request of theirs waits no more, and nothing that was declined stands against them later.
   * Before memberships are written: an approval takes the request first.
   */
  async deleteJoinRequests(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    await sql`
      delete from join_requests where id in (
        select id from join_requests where zone_id = ${zoneId} and user_id = any(${[...userIds]}::bigint[])
        order by id for update
      )`.execute(query<Tables>(em));
  }

  /** Whoever comes in is kept out no more, by whichever way it was. */
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
