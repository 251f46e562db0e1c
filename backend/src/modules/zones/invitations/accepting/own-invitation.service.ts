import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setPoolTenantOwner } from '../../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { consentText } from '../../consent/consent.policy.js';
import { fullName } from '../../../auth/entities/user.entity.js';
import { invitationErrors, zoneErrors } from '../../zones.errors.js';
import type { OwnInvitationDto } from '../dto/own-invitation.dto.js';
import { ZoneCapacityService } from '../../zone/zone-capacity.service.js';
import { InvitationListRepository } from '../invitation-list.repository.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';

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
    private readonly invitations: InvitationListRepository,
    private readonly invitationAcceptance: InvitationAcceptanceService,
    private readonly users: UserRepository,
    private readonly zoneCapacity: ZoneCapacityService,
  ) {}

  /** Newest first. */
  async listOpen(userId: number, language: Language): Promise<OwnInvitationDto[]> {
    const rows = await this.invitations.listOpenForUser(userId, MAX_SHOWN);
    return rows.map(({ id, zoneName, requiresEmailOptin, expiresAt, inviterFirstName, inviterLastName }) => ({
      id,
      zoneName,
      inviterName: fullName({ firstName: inviterFirstName, lastName: inviterLastName }),
      requiresEmailOptin,
      consentText: consentText[language],
      expiresAt,
    }));
  }

  /**
   * Accepts an invitation like the emailed link would.
   * @returns the id of the zone
   * @throws INVITATION_NOT_FOUND if unknown, for another address, used or expired
   * @throws CONSENT_REQUIRED if the zone requires consent and it is not given; ZONE_FULL
   */
  async accept(id: number, hasConsented: boolean, { userId, language, origin }: AcceptingUser): Promise<number> {
    const found = await this.invitations.findOpenForUser(userId, id);
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
}
