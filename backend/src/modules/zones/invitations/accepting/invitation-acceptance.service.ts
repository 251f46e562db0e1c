import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../../platform/audit/audit.service.js';
import { Clock } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { consentText } from '../../consent/consent.policy.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';
import { JoinRequestSchema } from '../../entities/join-request.entity.js';
import { MembershipService } from '../../joining/membership.service.js';
import type { FoundInvitation } from '../invitation-reader.service.js';
import { invitationErrors } from '../../zones.errors.js';
import { notifyInvitationAccepted } from '../../zones.jobs.js';

type Tables = typeof InvitationSchema | typeof JoinRequestSchema;

/** An invitation that is to be used up; `digest` null when the session shows the address, and not the mailed link. */
export type AcceptableInvitation = Pick<FoundInvitation, 'id' | 'zoneId' | 'ownerId' | 'zoneName'> & {
  readonly digest: string | null;
};

interface AcceptanceContext {
  readonly language: Language;
  readonly origin: SessionOrigin;
  /** What else is written of a new membership; not called for who is in the zone already. */
  readonly onMemberAdded?: (em: EntityManager) => Promise<void>;
}

/** The step from an invitation to a membership. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly clock: Clock,
    private readonly membership: MembershipService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Uses the invitation up, in the caller's transaction, and lets the person in; of two at once one gets false.
   * @returns false when it was used before, or the person is in the zone already
   * @throws INVITATION_INVALID (without a mailed link INVITATION_NOT_FOUND) when it was revoked, sent again or ran out meanwhile
   */
  async acceptInvitation(
    em: EntityManager,
    invitation: AcceptableInvitation,
    user: User,
    { language, origin, onMemberAdded }: AcceptanceContext,
    hasConsented: boolean,
  ): Promise<boolean> {
    await this.deleteJoinRequest(em, invitation.zoneId, user.id);
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

  /** Locks zone and invitation, and looks again: either may have gone since it was found. */
  private async lockInvitation(em: EntityManager, { id, zoneId, digest }: AcceptableInvitation) {
    const zone = await this.membership.lockZone(em, zoneId);
    const row = await query<Tables>(em)
      .selectFrom('invitations')
      .select(['used', 'expires_at as expiresAt', 'invited_by_id as invitedById'])
      .where('id', '=', id)
      .$if(digest !== null, (rows) => rows.where('digest', '=', digest))
      .forUpdate()
      .executeTakeFirst();
    if (!zone || !row || (!row.used && row.expiresAt <= this.clock.now())) {
      throw digest === null ? invitationErrors.INVITATION_NOT_FOUND() : invitationErrors.INVITATION_INVALID();
    }
    return row;
  }

  /** Whoever waited to be let in does not wait any more. Comes first, as an approval takes the request first. */
  private async deleteJoinRequest(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .execute();
  }

  private async recordAcceptance(
    em: EntityManager,
    { id, zoneId, ownerId }: AcceptableInvitation,
    userId: number,
    { ipAddress }: SessionOrigin,
  ): Promise<void> {
    await query<Tables>(em).updateTable('invitations').set({ is_notice_due: true }).where('id', '=', id).execute();
    await this.jobs.enqueue(em, notifyInvitationAccepted, { ownerId });
    const params = { zoneId, invitationId: id };
    await this.audit.record(em, { type: 'zone.invitation-accepted', actorId: userId, params, ipAddress });
  }
}
