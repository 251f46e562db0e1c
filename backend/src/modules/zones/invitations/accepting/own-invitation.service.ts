import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../../platform/database/pool/pool-partitioning.js';
import { query } from '../../../../platform/database/query.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import type { UserSchema } from '../../../auth/entities/user.entity.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { consentText } from '../../consent/consent.policy.js';
import type { InvitationSchema } from '../../entities/invitation.entity.js';
import { type ZoneMemberSchema } from '../../entities/zone-member.entity.js';
import { fullName } from '../../../auth/entities/user.entity.js';
import type { ZoneSchema } from '../../entities/zone.entity.js';
import { invitationErrors, zoneErrors } from '../../zones.errors.js';
import type { OwnInvitationDto } from '../dto/own-invitation.dto.js';
import { ZoneCapacityService } from '../../zone/zone-capacity.service.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof ZoneMemberSchema | typeof UserSchema;

/** Maximum number shown at once; accepting one makes room for the next. */
const MAX_SHOWN = 20;

interface AcceptingUser {
  readonly userId: number;
  readonly language: Language;
  readonly origin: SessionOrigin;
}

/**
 * Open invitations to the email address of a signed-in user. A verified address is as good a proof of ownership as the
 * emailed link.
 */
@Injectable()
export class OwnInvitationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitationAcceptance: InvitationAcceptanceService,
    private readonly users: UserRepository,
    private readonly zoneCapacity: ZoneCapacityService,
  ) {}

  /** Newest first. */
  async listOpen(userId: number, language: Language): Promise<OwnInvitationDto[]> {
    const rows = await this.openInvitationsQuery(userId).orderBy('i.id', 'desc').limit(MAX_SHOWN).execute();
    return rows.map(({ id, zoneName, requiresEmailOptin, expiresAt, inviterFirstName, inviterLastName }) => ({
      id,
      zoneName,
      inviterName: fullName({ firstName: inviterFirstName, lastName: inviterLastName }),
      requiresEmailOptin,
      consentText: consentText[language],
      expiresAt,
    }));
  }

  async hasOpenInvitation(userId: number): Promise<boolean> {
    return (await this.openInvitationsQuery(userId).limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Accepts an invitation like the emailed link would.
   * @returns the id of the zone
   * @throws INVITATION_NOT_FOUND if unknown, for another address, used or expired
   * @throws CONSENT_REQUIRED if the zone requires consent and it is not given; ZONE_FULL
   */
  async accept(id: number, hasConsented: boolean, { userId, language, origin }: AcceptingUser): Promise<number> {
    const found = await this.openInvitationsQuery(userId).where('i.id', '=', id).executeTakeFirst();
    if (!found) throw invitationErrors.INVITATION_NOT_FOUND();
    setPoolTenantOwner(found.ownerId);
    if (found.requiresEmailOptin && !hasConsented) throw zoneErrors.CONSENT_REQUIRED();
    const joined = await this.zoneCapacity.translatePlanLimit(found.ownerId, userId, () =>
      inTransaction(this.em, async (em) => {
        // Locked before the zone, in the same order as by the emailed link.
        const user = await this.users.lockUser(em, userId);
        return this.invitationAcceptance.acceptInvitation(
          em,
          { ...found, digest: null },
          user,
          { language, origin },
          hasConsented,
        );
      }),
    );
    if (!joined) throw invitationErrors.INVITATION_NOT_FOUND();
    return found.zoneId;
  }

  private openInvitationsQuery(userId: number) {
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
