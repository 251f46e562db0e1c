import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../../platform/audit/audit.repository.js';
import { Clock } from '../../../../platform/clock/clock.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { consentText } from '../../consent/consent.policy.js';
import { MembershipService } from '../../joining/membership.service.js';
import { JoinRequestRepository } from '../../requests/join-request.repository.js';
import { ZoneRepository } from '../../zone/zone.repository.js';
import type { FoundInvitation } from '../invitation-list.service.js';
import { InvitationRepository } from '../invitation.repository.js';
import { invitationErrors } from '../../zones.errors.js';
import { notifyInvitationAccepted } from '../../zones.jobs.js';

/**
 * An invitation to be accepted. `digest` is null if the session proves the email address instead of the emailed link.
 */
export type AcceptableInvitation = Pick<FoundInvitation, 'id' | 'zoneId' | 'ownerId' | 'zoneName'> & {
  readonly digest: string | null;
};

interface AcceptanceContext {
  readonly language: Language;
  readonly origin: SessionOrigin;
  /** Called in the same transaction for a new membership; not called for existing members. */
  readonly onMemberAdded?: (em: EntityManager) => Promise<void>;
}

/** Turns an invitation into a membership. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly clock: Clock,
    private readonly invitations: InvitationRepository,
    private readonly requests: JoinRequestRepository,
    private readonly zones: ZoneRepository,
    private readonly membership: MembershipService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Marks the invitation as used and adds the person, in the caller's transaction. Of two concurrent calls, one returns
   * false.
   * @returns false if the invitation was already used, or the person is already a member
   * @throws INVITATION_INVALID (INVITATION_NOT_FOUND without an emailed link) if it was revoked, sent again or has
   * expired in the meantime
   */
  async acceptInvitation(
    em: EntityManager,
    invitation: AcceptableInvitation,
    user: User,
    { language, origin, onMemberAdded }: AcceptanceContext,
    hasConsented: boolean,
  ): Promise<boolean> {
    // Approvals lock the request first too.
    await this.requests.deleteRequests(em, invitation.zoneId, [user.id]);
    const locked = await this.lockInvitation(em, invitation);
    if (locked.used) return false;
    const consent = { ipAddress: origin.ipAddress, method: 'invite', text: consentText[language] };
    return this.membership.addMember(em, {
      zone: { id: invitation.zoneId, ownerId: invitation.ownerId, name: invitation.zoneName },
      user,
      isZoneLocked: true,
      method: 'invite',
      consent: hasConsented ? consent : null,
      invitedById: locked.invitedById,
      onMemberAdded: async (em) => {
        await this.recordAcceptance(em, invitation, user.id, origin);
        await onMemberAdded?.(em);
      },
    });
  }

  /** Locks the zone and the invitation and checks both again, since either may be gone by now. */
  private async lockInvitation(em: EntityManager, { id, zoneId, digest }: AcceptableInvitation) {
    const zone = await this.zones.lockZone(em, zoneId);
    const row = await this.invitations.lockForAcceptance(em, id, digest);
    if (!zone || !row || (!row.used && row.expiresAt <= this.clock.now())) {
      throw digest === null ? invitationErrors.INVITATION_NOT_FOUND() : invitationErrors.INVITATION_INVALID();
    }
    return row;
  }

  private async recordAcceptance(
    em: EntityManager,
    { id, zoneId, ownerId }: AcceptableInvitation,
    userId: number,
    { ipAddress }: SessionOrigin,
  ): Promise<void> {
    await this.invitations.markNoticeDue(em, id);
    await this.jobs.enqueue(em, notifyInvitationAccepted, { ownerId });
    const params = { zoneId, invitationId: id };
    await this.audit.record(em, { type: 'zone.invitation-accepted', actorId: userId, params, ipAddress });
  }
}
