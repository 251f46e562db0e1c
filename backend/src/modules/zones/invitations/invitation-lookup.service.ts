import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { invitationErrors } from './invitations.errors.js';
import { personName } from './person-name.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof ZoneMemberSchema | typeof UserSchema;

/** Finds what a mailed link leads to. */
@Injectable()
export class InvitationLookup {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks, and changes nothing: mail scanners follow links.
   * @throws INVITATION_INVALID for an unknown, revoked or expired one, for a used one whose membership has ended, and when
   *   zone, owner or the person's own account are shut, all alike
   */
  async find(token: string) {
    const digest = digestOf(token);
    const now = this.clock.now();
    const row = await this.read(digest, now);
    if (!row || !(row.used ? row.isMember : row.expiresAt > now)) throw invitationErrors.INVITATION_INVALID();
    const { inviterFirstName, inviterLastName, isMember: _, ...found } = row;
    const inviter = { firstName: inviterFirstName, lastName: inviterLastName };
    return { ...found, digest, inviterName: personName(inviter) };
  }

  private read(digest: string, now: Date) {
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
      .select((row) => row('u.password', 'is not', null).$castTo<boolean>().as('isExistingUser'))
      .select((row) => row('m.id', 'is not', null).$castTo<boolean>().as('isMember'))
      .where('i.digest', '=', digest)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
  }
}

export type FoundInvitation = Awaited<ReturnType<InvitationLookup['find']>>;
