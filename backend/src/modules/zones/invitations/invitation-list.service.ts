import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../../platform/http/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import type { InvitationDto } from './dto/invitation.dto.js';
import { invitationErrors } from './invitations.errors.js';
import { personName } from './person-name.js';

type Tables = typeof InvitationSchema | typeof UserSchema;

/** The invitations of a zone that nobody has accepted yet. */
@Injectable()
export class InvitationListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** The newest first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<InvitationDto>> {
    let rows = this.rows(zoneId)
      .orderBy('i.id', 'desc')
      .limit(limit + 1);
    if (cursor) rows = rows.where('i.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const { total } = await query<Tables>(this.em)
      .selectFrom('invitations')
      .select(sql<number>`count(*)`.as('total'))
      .where('zone_id', '=', zoneId)
      .where('used', '=', false)
      .executeTakeFirstOrThrow();
    const page = pageOf(await rows.execute(), limit, total, ({ id }) => [id]);
    return { ...page, items: page.items.map((row) => this.shape(row)) };
  }

  /** @throws INVITATION_NOT_FOUND */
  async one(zoneId: number, id: number): Promise<InvitationDto> {
    const row = await this.rows(zoneId).where('i.id', '=', id).executeTakeFirst();
    if (!row) throw invitationErrors.INVITATION_NOT_FOUND();
    return this.shape(row);
  }

  private rows(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .leftJoin('users as inviter', 'inviter.id', 'i.invited_by_id')
      .select(['i.id as id', 'i.zone_id as zoneId', 'i.email as email', 'i.used as used'])
      .select(['i.first_name as firstName', 'i.last_name as lastName', 'i.invited_by_id as invitedById'])
      .select(['i.expires_at as expiresAt', 'i.created_at as createdAt', 'i.sent_at as sentAt'])
      .select(['inviter.first_name as inviterFirstName', 'inviter.last_name as inviterLastName'])
      .select('inviter.username as inviterUsername')
      .where('i.zone_id', '=', zoneId)
      .where('i.used', '=', false);
  }

  private shape(row: Row): InvitationDto {
    const { inviterFirstName, inviterLastName, inviterUsername, ...invitation } = row;
    const name = personName({ firstName: inviterFirstName, lastName: inviterLastName });
    return {
      ...invitation,
      invitedBy: name || inviterUsername,
      isExpired: invitation.expiresAt <= this.clock.now(),
    };
  }
}

type Row = Awaited<ReturnType<ReturnType<InvitationListService['rows']>['execute']>>[number];
