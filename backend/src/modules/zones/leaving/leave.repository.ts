import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { countRows } from '../../../platform/http/lists/list.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { EmailConsentSchema } from '../entities/email-consent.entity.js';
import type { EmailUnsubscribeSchema } from '../entities/email-unsubscribe.entity.js';
import type { LeaveMethod, ZoneLeaveSchema } from '../entities/zone-leave.entity.js';
import type { JoinMethod, ZoneMemberSchema, ZoneRole } from '../entities/zone-member.entity.js';
import type { ZoneSchema } from '../entities/zone.entity.js';
import type { EndedMembership } from '../joining/membership.repository.js';
import type { LockedZone } from '../zone/zone.repository.js';

type Tables =
  | typeof ZoneLeaveSchema
  | typeof ZoneSchema
  | typeof ZoneMemberSchema
  | typeof EmailConsentSchema
  | typeof EmailUnsubscribeSchema
  | typeof UserSchema;

/** A leave that can be undone, with the terms of the membership that it ended. */
export interface UndoableLeave {
  readonly id: number;
  readonly role: ZoneRole;
  readonly method: JoinMethod;
  readonly invitedById: number | null;
  readonly expiresAt: Date | null;
  readonly joinedAt: Date;
  readonly leftAt: Date;
}

/** Records of people who left zones or were removed from them. */
@Injectable()
export class LeaveRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async insertLeave(
    em: EntityManager,
    zone: LockedZone,
    userId: number,
    ended: EndedMembership,
    { via, reason }: { via: LeaveMethod; reason: string | null },
  ): Promise<void> {
    await query<Tables>(em)
      .insertInto('zone_leaves')
      .values({
        zone_id: zone.id,
        user_id: userId,
        zone_type: zone.type,
        via,
        reason,
        role: ended.role,
        join_method: ended.joinMethod,
        invited_by_id: ended.invitedById,
        expires_at: ended.expiresAt,
        joined_at: ended.joinedAt,
        left_at: this.clock.now(),
      })
      .execute();
  }

  /** Counts how often the person left the zone in the app since an instant, while it was public. */
  async countLeavesInApp(em: EntityManager, zoneId: number, userId: number, since: Date): Promise<number> {
    const { times } = await query<Tables>(em)
      .selectFrom('zone_leaves')
      .select(({ fn }) => fn.countAll<number>().as('times'))
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('via', '=', 'app')
      .where('zone_type', '=', 'public')
      .where('left_at', '>', since)
      .executeTakeFirstOrThrow();
    return Number(times);
  }

  /**
   * Returns the person's last leave if it happened this way after `since`, is not undone and the membership would still
   * be valid; earlier leaves no longer matter.
   */
  async findUndoableLeave(
    zoneId: number,
    userId: number,
    via: LeaveMethod,
    since: Date,
  ): Promise<UndoableLeave | null> {
    return (await this.undoableLeaveQuery(this.em, zoneId, userId, via, since).executeTakeFirst()) ?? null;
  }

  /** Like `findUndoableLeave`; locks the row. */
  async lockUndoableLeave(
    em: EntityManager,
    zoneId: number,
    userId: number,
    via: LeaveMethod,
    since: Date,
  ): Promise<UndoableLeave | null> {
    return (await this.undoableLeaveQuery(em, zoneId, userId, via, since).forUpdate().executeTakeFirst()) ?? null;
  }

  async markUndone(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_leaves')
      .set({ undone_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
  }

  /** Returns up to `limit` leaves, newest first, without undone ones; the names of erased people are null. */
  listLeaves(zoneId: number, limit: number, cursor?: string) {
    let leaves = this.leavesQuery(zoneId)
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'l.user_id').on('u.erased_at', 'is', null))
      .select(['l.id as id', 'l.via as via', 'l.reason as reason', 'l.joined_at as joinedAt', 'l.left_at as leftAt'])
      .select(['u.id as userId', 'u.email as email', 'u.first_name as firstName', 'u.last_name as lastName'])
      .select(['u.username as username', 'u.profile_image_url as profileImageUrl'])
      .orderBy('l.left_at', 'desc')
      .orderBy('l.id', 'desc')
      .limit(limit);
    if (cursor) leaves = leaves.where(beforeCursor(cursor));
    return leaves.execute();
  }

  countLeaves(zoneId: number): Promise<number> {
    return countRows(this.leavesQuery(zoneId));
  }

  /**
   * Returns a zone with a person's membership, consent and unsubscribe in it, for the page behind unsubscribe links;
   * null if the zone or the person no longer exists.
   */
  async findEmailPreferences(zoneId: number, userId: number) {
    const now = this.clock.now();
    const row = await query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('users as u', (join) => join.on('u.id', '=', userId).on('u.erased_at', 'is', null))
      .leftJoin('zone_members as m', (join) =>
        join
          .onRef('m.zone_id', '=', 'z.id')
          .on('m.user_id', '=', userId)
          .on('m.role', '!=', 'owner')
          .on((where) => where.or([where('m.expires_at', 'is', null), where('m.expires_at', '>', now)])),
      )
      .leftJoin('email_consents as c', (join) => join.onRef('c.zone_id', '=', 'z.id').on('c.user_id', '=', userId))
      .leftJoin('email_unsubscribes as e', (join) => join.onRef('e.zone_id', '=', 'z.id').on('e.user_id', '=', userId))
      .select(['z.id as id', 'z.name as name', 'z.type as type', 'z.requires_email_optin as requiresEmailOptin'])
      .select('z.owner_id as ownerId')
      .select('m.join_method as joinMethod')
      .select(sql<boolean>`c.id is not null`.as('hasConsented'))
      .select(sql<boolean>`e.id is not null`.as('hasUnsubscribed'))
      .where('z.id', '=', zoneId)
      .where('z.deleted_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  private undoableLeaveQuery(em: EntityManager, zoneId: number, userId: number, via: LeaveMethod, since: Date) {
    const last = query<Tables>(em)
      .selectFrom('zone_leaves')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('user_id', '=', userId)
      .where('zone_id', '=', zoneId);
    return query<Tables>(em)
      .selectFrom('zone_leaves')
      .select(['id', 'role', 'join_method as method', 'invited_by_id as invitedById'])
      .where('id', '=', last)
      .select(['expires_at as expiresAt', 'joined_at as joinedAt', 'left_at as leftAt'])
      .where('via', '=', via)
      .where('undone_at', 'is', null)
      .where('left_at', '>', since)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', this.clock.now())]));
  }

  private leavesQuery(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_leaves as l')
      .where('l.zone_id', '=', zoneId)
      .where('l.undone_at', 'is', null);
  }
}

/** @throws VALIDATION_FAILED for an invalid cursor */
function beforeCursor(cursor: string) {
  return sql<boolean>`(l.left_at, l.id) < ${cursorTuple(cursor, ['timestamptz', 'bigint'])}`;
}
