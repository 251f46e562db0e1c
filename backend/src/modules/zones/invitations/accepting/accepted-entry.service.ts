import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../../platform/audit/audit.service.js';
import { Clock } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { Jobs } from '../../../../platform/jobs/jobs.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { consentText } from '../../consent/consent.policy.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';
import { JoinRequestSchema } from '../../entities/join-request.entity.js';
import { MemberAdmission } from '../../joining/member-admission.service.js';
import type { FoundInvitation } from '../invitation-reader.service.js';
import { invitationErrors } from '../../zones.errors.js';
import { tellInvitationAccepted } from '../../zones.jobs.js';

type Tables = typeof InvitationSchema | typeof JoinRequestSchema;

/** An invitation that is to be used up; `digest` null when the session shows the address, and not the mailed link. */
export type EnteredInvitation = Pick<FoundInvitation, 'id' | 'zoneId' | 'ownerId' | 'zoneName'> & {
  readonly digest: string | null;
};

interface Way {
  readonly language: Language;
  readonly origin: SessionOrigin;
  /** What else is written of a new membership; not called for who is in the zone already. */
  readonly alsoWrite?: (em: EntityManager) => Promise<void>;
}

/** The step from an invitation to a membership. */
@Injectable()
export class AcceptedEntry {
  constructor(
    private readonly clock: Clock,
    private readonly members: MemberAdmission,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Uses the invitation up, in the caller's transaction, and lets the person in; of two at once one gets false.
   * @returns false when it was used before, or the person is in the zone already
   * @throws INVITATION_INVALID (without a mailed link INVITATION_NOT_FOUND) when it was revoked, sent again or ran out meanwhile
   */
  async enter(
    em: EntityManager,
    invitation: EnteredInvitation,
    user: User,
    { language, origin, alsoWrite }: Way,
    hasConsented: boolean,
  ): Promise<boolean> {
    await this.forgetRequest(em, invitation.zoneId, user.id);
    const locked = await this.lock(em, invitation);
    if (locked.used) return false;
    const consent = { ipAddress: origin.ipAddress, method: 'invite', text: consentText[language] };
    return this.members.admit(em, {
      zone: { id: invitation.zoneId, ownerId: invitation.ownerId, name: invitation.zoneName },
      user,
      isZoneLocked: true,
      method: 'invite',
      consent: hasConsented ? consent : null,
      invitedById: locked.invitedById,
      alsoWrite: async (em) => {
        await this.note(em, invitation, user.id, origin);
        await alsoWrite?.(em);
      },
    });
  }

  /** Locks zone and invitation, and looks again: either may have gone since it was found. */
  private async lock(em: EntityManager, { id, zoneId, digest }: EnteredInvitation) {
    const zone = await this.members.lockZone(em, zoneId);
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
  private async forgetRequest(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .execute();
  }

  private async note(
    em: EntityManager,
    { id, zoneId, ownerId }: EnteredInvitation,
    userId: number,
    { ipAddress }: SessionOrigin,
  ): Promise<void> {
    await query<Tables>(em).updateTable('invitations').set({ is_notice_due: true }).where('id', '=', id).execute();
    await this.jobs.enqueue(em, tellInvitationAccepted, { ownerId });
    const params = { zoneId, invitationId: id };
    await this.audit.record(em, { type: 'zone.invitation-accepted', actorId: userId, params, ipAddress });
  }
}
