import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows } from '../../../platform/http/lists/list.js';
import { hasPermanentSignInSql } from '../../auth/access/user.sql.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { InvitationSchema } from '../entities/invitation.entity.js';
import type { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import type { ZoneSchema } from '../entities/zone.entity.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof ZoneMemberSchema | typeof UserSchema;

export type PendingInvitation = Awaited<
  ReturnType<ReturnType<InvitationListRepository['pendingInvitationsQuery']>['execute']>
>[number];

export type InvitationToSend = NonNullable<Awaited<ReturnType<InvitationListRepository['findInvitationToSend']>>>;

/** Reads invitations with their zones and people: as lists, by their links, and to send them. */
@Injectable()
export class InvitationListRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns up to `limit` unused invitations of a zone, newest first.
   * @throws VALIDATION_FAILED for an invalid cursor
   */
  listPending(zoneId: number, limit: number, cursor?: string): Promise<PendingInvitation[]> {
    let rows = this.pendingInvitationsQuery(zoneId).orderBy('i.id', 'desc').limit(limit);
    if (cursor) rows = rows.where('i.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    return rows.execute();
  }

  countPending(zoneId: number): Promise<number> {
    return countRows(
      query<Tables>(this.em).selectFrom('invitations').where('zone_id', '=', zoneId).where('used', '=', false),
    );
  }

  async findPending(zoneId: number, id: number): Promise<PendingInvitation | null> {
    return (await this.pendingInvitationsQuery(zoneId).where('i.id', '=', id).executeTakeFirst()) ?? null;
  }

  /** Returns those of the addresses that have an open invitation to the zone. */
  async findInvitedEmails(zoneId: number, emails: readonly string[]): Promise<Set<string>> {
    const found = await query<Tables>(this.em)
      .selectFrom('invitations')
      .select('email')
      .where('zone_id', '=', zoneId)
      .where('is_counted', '=', true)
      .where('expires_at', '>', this.clock.now())
      .where('email', 'in', emails)
      .execute();
    return new Set(found.map(({ email }) => email));
  }

  /**
   * Returns the invitation behind an emailed link, used or not, with its zone and the person who has the address. Not
   * found: invitations to deleted zones, of deactivated owners, and to deactivated or blocked people.
   */
  async findByDigest(digest: string) {
    const now = this.clock.now();
    const row = await query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .innerJoin('users as inviter', (join) =>
        join.on((on) => on('inviter.id', '=', on.fn.coalesce('i.invited_by_id', 'z.owner_id'))),
      )
      .leftJoin('users as u', 'u.email', 'i.email')
      .leftJoin('zone_members as m', (join) =>
        join
          .onRef('m.zone_id', '=', 'z.id')
          .onRef('m.user_id', '=', 'u.id')
          .on((on) => on.or([on('m.expires_at', 'is', null), on('m.expires_at', '>', now)])),
      )
      .select(['i.id as id', 'i.email as email', 'i.used as used', 'i.expires_at as expiresAt'])
      .select(['i.first_name as firstName', 'i.last_name as lastName'])
      .select(['z.id as zoneId', 'z.owner_id as ownerId', 'z.name as zoneName'])
      .select(['z.requires_email_optin as requiresEmailOptin'])
      .select(['inviter.first_name as inviterFirstName', 'inviter.last_name as inviterLastName'])
      .select(sql<boolean>`coalesce(${sql.raw(hasPermanentSignInSql)}, false)`.as('isExistingUser'))
      .select((row) => row('m.id', 'is not', null).$castTo<boolean>().as('isMember'))
      .where('i.digest', '=', digest)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('u.deactivated_at', 'is', null)
      .where(sql<boolean>`not exists (select from zone_blocks b where b.zone_id = z.id and b.user_id = u.id)`)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns up to `limit` open invitations to the verified address of a user, newest first. */
  listOpenForUser(userId: number, limit: number) {
    return this.openForUserQuery(userId).orderBy('i.id', 'desc').limit(limit).execute();
  }

  async hasOpenForUser(userId: number): Promise<boolean> {
    return (await this.openForUserQuery(userId).limit(1).executeTakeFirst()) !== undefined;
  }

  async findOpenForUser(userId: number, id: number) {
    return (await this.openForUserQuery(userId).where('i.id', '=', id).executeTakeFirst()) ?? null;
  }

  /** Returns what the email of an open invitation says; null if it must not be sent any more. */
  async findInvitationToSend(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .innerJoin('users as inviter', (join) =>
        join.on((on) => on('inviter.id', '=', on.fn.coalesce('i.invited_by_id', 'z.owner_id'))),
      )
      .leftJoin('users as u', 'u.email', 'i.email')
      .select(['i.email as email', 'z.name as zoneName', 'u.language as language', 'o.language as ownerLanguage'])
      .select(['inviter.first_name as firstName', 'inviter.last_name as lastName'])
      .select(sql<boolean>`coalesce(${sql.raw(hasPermanentSignInSql)}, false)`.as('hasOwnSignIn'))
      .where('i.id', '=', id)
      .where('i.used', '=', false)
      .where('i.undeliverable_at', 'is', null)
      .where('i.expires_at', '>', this.clock.now())
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  private pendingInvitationsQuery(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .leftJoin('users as inviter', 'inviter.id', 'i.invited_by_id')
      .select(['i.id as id', 'i.zone_id as zoneId', 'i.email as email', 'i.used as used'])
      .select(['i.first_name as firstName', 'i.last_name as lastName', 'i.invited_by_id as invitedById'])
      .select(['i.expires_at as expiresAt', 'i.created_at as createdAt', 'i.sent_at as sentAt'])
      .select(['i.kept_at as keptAt', 'i.undeliverable_at as undeliverableAt'])
      .select(['inviter.first_name as inviterFirstName', 'inviter.last_name as inviterLastName'])
      .select('inviter.username as inviterUsername')
      .where('i.zone_id', '=', zoneId)
      .where('i.used', '=', false);
  }

  private openForUserQuery(userId: number) {
    const now = this.clock.now();
    return query<Tables>(this.em)
      .selectFrom('users as u')
      .innerJoin('invitations as i', 'i.email', 'u.email')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .innerJoin('users as inviter', (join) =>
        join.on((on) => on('inviter.id', '=', on.fn.coalesce('i.invited_by_id', 'z.owner_id'))),
      )
      .select(['i.id as id', 'i.expires_at as expiresAt', 'z.id as zoneId', 'z.name as zoneName'])
      .select(['z.owner_id as ownerId', 'z.requires_email_optin as requiresEmailOptin'])
      .select(['inviter.first_name as inviterFirstName', 'inviter.last_name as inviterLastName'])
      .where('u.id', '=', userId)
      .where('u.email_verified', '=', true)
      .where('i.used', '=', false)
      .where('i.expires_at', '>', now)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where(sql<boolean>`not exists (select from zone_blocks b where b.zone_id = z.id and b.user_id = u.id)`)
      .where(
        sql<boolean>`not exists (select from zone_members m where m.zone_id = z.id and m.user_id = u.id
          and (m.expires_at is null or m.expires_at > ${now}))`,
      );
  }
}
