import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock, MINUTE } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { User, UserSchema } from '../../auth/entities/user.entity.js';
import type { NamedUser } from '../../auth/users/user.repository.js';
import {
  memberSortKeys,
  type JoinMethod,
  type ZoneMemberSchema,
  type ZoneRole,
} from '../entities/zone-member.entity.js';
import type { ZoneSchema } from '../entities/zone.entity.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema | typeof UserSchema;

/** The fields of memberships that people get by joining together. */
export interface MembershipTerms {
  readonly zoneId: number;
  readonly role: ZoneRole;
  readonly method: JoinMethod;
  readonly invitedById: number | null;
  readonly expiresAt: Date | null;
  readonly joinedAt: Date;
}

export interface ExistingMembership {
  readonly isExpired: boolean;
  /** False once an expired membership has been removed from the counters. */
  readonly isCounted: boolean;
}

/** A membership at the time it ended. */
export interface EndedMembership {
  readonly email: string;
  readonly role: ZoneRole;
  readonly joinMethod: JoinMethod;
  readonly invitedById: number | null;
  readonly expiresAt: Date | null;
  readonly joinedAt: Date;
}

/** Memberships of zones, including those of their owners. Who changes them has locked the zone (`ZoneRepository`). */
@Injectable()
export class MembershipRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Inserts the owner's own membership, which counts neither as a member nor in the audience. */
  async insertOwner(em: EntityManager, zoneId: number, owner: User): Promise<void> {
    await query<Tables>(em)
      .insertInto('zone_members')
      .values({
        zone_id: zoneId,
        user_id: owner.id,
        role: 'owner',
        join_method: 'owner',
        email: owner.email,
        ...memberSortKeys(owner),
        created_at: this.clock.now(),
      })
      .execute();
  }

  /**
   * Inserts a membership for everyone who has none. Rows are written in user id order, so that concurrent bulk inserts
   * wait for each other instead of deadlocking.
   * @returns the ids of those who had none
   */
  async insertMemberships(
    em: EntityManager,
    { zoneId, role, method, invitedById, expiresAt, joinedAt }: MembershipTerms,
    users: readonly NamedUser[],
  ): Promise<Set<number>> {
    const people = users.map((user) => ({ id: user.id, email: user.email, ...memberSortKeys(user) }));
    const { rows } = await sql<{ id: number }>`
      insert into zone_members (zone_id, user_id, role, join_method, invited_by_id, expires_at, created_at, email,
        name_key, search_key)
      select ${zoneId}::bigint, p.id, ${role}, ${method}, ${invitedById}::bigint, ${expiresAt}::timestamptz,
        ${joinedAt}::timestamptz, p.email, p.name_key, p.search_key
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as p(id bigint, email text, name_key text, search_key text)
      order by p.id
      on conflict (zone_id, user_id) do nothing
      returning user_id as id`.execute(query<Tables>(em));
    return new Set(rows.map(({ id }) => Number(id)));
  }

  /**
   * Locks memberships that already existed.
   * @returns them by user id; those missing were deleted concurrently
   */
  async lockMemberships(
    em: EntityManager,
    zoneId: number,
    userIds: readonly number[],
  ): Promise<Map<number, ExistingMembership>> {
    if (userIds.length === 0) return new Map();
    const rows = await query<Tables>(em)
      .selectFrom('zone_members')
      .select(['user_id', 'expires_at', 'is_counted'])
      .where('zone_id', '=', zoneId)
      .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
      .orderBy('user_id')
      .forUpdate()
      .execute();
    const now = this.clock.now();
    const isExpired = (at: Date | string | null) => at !== null && new Date(at) <= now;
    return new Map(
      rows.map((row) => [row.user_id, { isExpired: isExpired(row.expires_at), isCounted: row.is_counted }]),
    );
  }

  /** Gives expired memberships new terms. */
  async reactivateMemberships(
    em: EntityManager,
    { zoneId, role, method, invitedById, expiresAt, joinedAt }: MembershipTerms,
    userIds: readonly number[],
  ): Promise<void> {
    if (userIds.length === 0) return;
    await query<Tables>(em)
      .updateTable('zone_members')
      .set({ role, join_method: method, invited_by_id: invitedById, expires_at: expiresAt, created_at: joinedAt })
      .set({ is_counted: true })
      .where('zone_id', '=', zoneId)
      .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
      .execute();
  }

  /** Returns whether the person is a member and the membership has not expired. */
  async isMember(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', this.clock.now())]))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Locks the membership of a person who doesn't own the zone. */
  async lockMember(
    em: EntityManager,
    zoneId: number,
    userId: number,
  ): Promise<{ id: number; email: string; isCounted: boolean } | null> {
    const row = await query<Tables>(em)
      .selectFrom('zone_members')
      .select(['id', 'email', 'is_counted as isCounted'])
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Changes a locked membership; fields that are undefined stay as they are. */
  async updateMembership(
    em: EntityManager,
    id: number,
    changes: { role?: ZoneRole | undefined; expiresAt?: Date | null | undefined; isCounted: boolean },
  ): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_members')
      .set({
        ...(changes.role === undefined ? {} : { role: changes.role }),
        ...(changes.expiresAt === undefined ? {} : { expires_at: changes.expiresAt }),
        is_counted: changes.isCounted,
      })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Deletes the membership of a person who doesn't own the zone.
   * @returns it, and whether it was included in the counters; null if there is none
   */
  async deleteMembership(
    em: EntityManager,
    zoneId: number,
    userId: number,
  ): Promise<(EndedMembership & { isCounted: boolean }) | null> {
    const row = await query<Tables>(em)
      .deleteFrom('zone_members')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .returning(['email', 'role', 'join_method as joinMethod', 'invited_by_id as invitedById'])
      .returning(['expires_at as expiresAt', 'created_at as joinedAt', 'is_counted as isCounted'])
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the owner and the current admins of a zone who can sign in, with what is needed to email them. */
  findManagers(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['u.id as id', 'u.email as email', 'u.language as language'])
      .where('m.zone_id', '=', zoneId)
      .where('m.role', 'in', ['owner', 'admin'])
      .where('u.deactivated_at', 'is', null)
      .where((where) => where.or([where('m.expires_at', 'is', null), where('m.expires_at', '>', this.clock.now())]))
      .orderBy('u.id')
      .execute();
  }

  /** Updates the sort and search keys of a person's memberships after a change of name. */
  async updateSortKeys(em: EntityManager, user: NamedUser): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_members')
      .set(memberSortKeys(user))
      .where('user_id', '=', user.id)
      .execute();
  }

  /** Updates the copies of a person's address, and the keys that contain it. */
  async updateEmail(em: EntityManager, user: NamedUser): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_members')
      .set({ email: user.email, ...memberSortKeys(user) })
      .where('user_id', '=', user.id)
      .execute();
  }

  /** Returns the zones of others in which the person has a membership, expired or not. */
  async findJoinedZones(em: EntityManager, userId: number): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('zone_id as zoneId')
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .execute();
    return rows.map(({ zoneId }) => zoneId);
  }

  /** Returns the zones with expired memberships that the counters still include, by id. */
  async findZonesWithExpired(now: Date): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .select('m.zone_id as zoneId')
      .distinct()
      .where('m.expires_at', '<=', now)
      .where('m.is_counted', '=', true)
      .where('m.role', '!=', 'owner')
      .where('z.deleted_at', 'is', null)
      .orderBy('m.zone_id')
      .execute();
    return rows.map(({ zoneId }) => zoneId);
  }

  /**
   * Marks up to `limit` expired memberships of a zone as no longer counted. Skips rows that others have locked.
   * @returns whose memberships they are
   */
  async markExpiredUncounted(
    em: EntityManager,
    zoneId: number,
    now: Date,
    limit: number,
  ): Promise<{ userId: number; email: string }[]> {
    const rows = await query<Tables>(em)
      .selectFrom('zone_members')
      .select(['id', 'user_id as userId', 'email'])
      .where('zone_id', '=', zoneId)
      .where('is_counted', '=', true)
      .where('role', '!=', 'owner')
      .where('expires_at', '<=', now)
      .orderBy('user_id')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await query<Tables>(em).updateTable('zone_members').set({ is_counted: false }).where('id', 'in', ids).execute();
    return rows;
  }

  /**
   * Deletes up to `limit` memberships that expired until `before` and are no longer counted.
   * @returns how many
   */
  async deleteExpired(before: Date, limit: number): Promise<number> {
    const { rows } = await sql`
      delete from zone_members where id in (
        select id from zone_members
        where expires_at <= ${before} and not is_counted and role <> 'owner'
        limit ${limit} for update skip locked
      ) returning id`.execute(query<Tables>(this.em));
    return rows.length;
  }

  /**
   * Toggles the person's favourite flag.
   * @returns the new value
   */
  async toggleFavorite(zoneId: number, userId: number): Promise<boolean> {
    const { isFavorite } = await query<Tables>(this.em)
      .updateTable('zone_members')
      .set({ is_favorite: sql<boolean>`not is_favorite` })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .returning('is_favorite as isFavorite')
      .executeTakeFirstOrThrow();
    return isFavorite;
  }

  /** Records the person's visit, at most once a minute to limit writes. */
  async recordVisit(zoneId: number, userId: number): Promise<void> {
    const now = this.clock.now();
    await query<Tables>(this.em)
      .updateTable('zone_members')
      .set({ visited_at: now })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where((on) => on.or([on('visited_at', 'is', null), on('visited_at', '<=', new Date(now.getTime() - MINUTE))]))
      .execute();
  }

  /**
   * Sets when the person removed a zone from their list; null shows it again.
   * @returns false if there is no expired membership
   */
  async setDismissedAt(zoneId: number, userId: number, dismissedAt: Date | null): Promise<boolean> {
    const updated = await query<Tables>(this.em)
      .updateTable('zone_members')
      .set({ dismissed_at: dismissedAt })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('role', '<>', 'owner')
      .where('expires_at', '<=', this.clock.now())
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }
}
