import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { invitationErrors } from './invitations.errors.js';
import { personName } from './person-name.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof UserSchema;

/** Finds what a mailed link leads to. */
@Injectable()
export class InvitationLookup {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks, and changes nothing: mail scanners follow links.
   * @throws INVITATION_INVALID for an unknown, revoked or expired one, and when zone, owner or the person's own account
   *   are shut, all alike
   */
  async find(token: string) {
    const digest = digestOf(token);
    const row = await this.read(digest);
    if (!row || (!row.used && row.expiresAt <= this.clock.now())) throw invitationErrors.INVITATION_INVALID();
    const { inviterFirstName, inviterLastName, ...found } = row;
    const inviter = { firstName: inviterFirstName, lastName: inviterLastName };
    return { ...found, digest, inviterName: personName(inviter) };
  }

  private read(digest: string) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .innerJoin('users as inviter', (join) =>
        join.on((on) => on('inviter.id', '=', on.fn.coalesce('i.invited_by_id', 'z.owner_id'))),
      )
      .leftJoin('users as u', 'u.email', 'i.email')
      .select(['i.id as id', 'i.email as email', 'i.used as used', 'i.expires_at as expiresAt'])
      .select(['i.first_name as firstName', 'i.last_name as lastName'])
      .select(['z.id as zoneId', 'z.owner_id as ownerId', 'z.name as zoneName'])
      .select(['z.requires_email_optin as requiresEmailOptin'])
      .select(['inviter.first_name as inviterFirstName', 'inviter.last_name as inviterLastName'])
      .select((row) => row('u.password', 'is not', null).$castTo<boolean>().as('isExistingUser'))
      .where('i.digest', '=', digest)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
  }
}

export type FoundInvitation = Awaited<ReturnType<InvitationLookup['find']>>;
