import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { hasPermanentSignInSql } from '../../auth/access/user.sql.js';
import { fullName, UserSchema } from '../../auth/entities/user.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import type { InvitationDto } from './dto/invitation.dto.js';
import { invitationErrors } from '../zones.errors.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof ZoneMemberSchema | typeof UserSchema;

/** Reads the pending invitations of a zone, and the invitation behind an emailed link. */
@Injectable()
export class InvitationReaderService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<InvitationDto>> {
    let rows = this.pendingInvitationsQuery(zoneId)
      .orderBy('i.id', 'desc')
      .limit(limit + 1);
    if (cursor) rows = rows.where('i.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const open = query<Tables>(this.em)
      .selectFrom('invitations')
      .where('zone_id', '=', zoneId)
      .where('used', '=', false);
    const page = toPage(await rows.execute(), limit, await countRows(open), ({ id }) => [id]);
    return { ...page, items: page.items.map((row) => this.toDto(row)) };
  }

  /** @throws INVITATION_NOT_FOUND */
  async findOne(zoneId: number, id: number): Promise<InvitationDto> {
    const row = await this.pendingInvitationsQuery(zoneId).where('i.id', '=', id).executeTakeFirst();
    if (!row) throw invitationErrors.INVITATION_NOT_FOUND();
    return this.toDto(row);
  }

  /**
   * Finds an invitation without changing anything, because email scanners follow links.
   * @throws INVITATION_INVALID, without distinction, if it is unknown, revoked or expired; if it was used and the
   * membership has ended; if the zone is deleted, or the owner or the person is deactivated; and if the address now
   * belongs to a blocked person
   */
  async findByToken(token: string) {
    const digest = digestOf(token);
    const now = this.clock.now();
    const row = await this.findByDigest(digest, now);
    if (!row || !(row.used ? row.isMember : row.expiresAt > now)) throw invitationErrors.INVITATION_INVALID();
    const { inviterFirstName, inviterLastName, isMember: _, ...found } = row;
    const inviter = { firstName: inviterFirstName, lastName: inviterLastName };
    return { ...found, digest, inviterName: fullName(inviter) };
  }

  private findByDigest(digest: string, now: Date) {
    return query<Tables>(this.em)
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

  private toDto(row: Row): InvitationDto {
    const { inviterFirstName, inviterLastName, inviterUsername, ...invitation } = row;
    const name = fullName({ firstName: inviterFirstName, lastName: inviterLastName });
    return {
      ...invitation,
      invitedBy: name || inviterUsername,
      isExpired: invitation.expiresAt <= this.clock.now(),
    };
  }
}

type Row = Awaited<ReturnType<ReturnType<InvitationReaderService['pendingInvitationsQuery']>['execute']>>[number];

export type FoundInvitation = Awaited<ReturnType<InvitationReaderService['findByToken']>>;
