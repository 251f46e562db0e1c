import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { ZoneCapacityService } from '../zone/zone-capacity.service.js';
import { InvitationListService } from './invitation-list.service.js';
import { InvitationQuotaService } from './invitation-quota.service.js';
import { InvitationRepository } from './invitation.repository.js';
import { INVITATION_LIFETIME, OWNER_INVITATION_RATE, type InvitationZone } from './invitation.service.js';
import { invitationErrors } from '../zones.errors.js';
import { sendInvitation } from '../zones.jobs.js';

/** Sends invitations again and revokes them. */
@Injectable()
export class InvitationChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitations: InvitationRepository,
    private readonly audience: AudienceRepository,
    private readonly invitationList: InvitationListService,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly usage: UsageService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Sends a new email, valid for another 7 days. The previous link and temporary password become invalid immediately.
   * An expired invitation uses quota again.
   * @throws INVITATION_NOT_FOUND if it is not in this zone, was used or was revoked
   * @throws PLAN_LIMIT (for a zone admin ZONE_FULL); TOO_MANY_REQUESTS
   * @throws ADDRESS_MAIL_LIMIT or DAILY_MAIL_LIMIT if the daily email limit of the address or the owner is reached
   */
  async resendInvitation(zone: InvitationZone, id: number, actorId: number): Promise<void> {
    await this.invitationList.findOne(zone.id, id);
    await this.limits.consume(OWNER_INVITATION_RATE, zone.ownerId);
    await this.zoneCapacity.translatePlanLimit(zone.ownerId, actorId, () =>
      inTransaction(this.em, async (em) => {
        const { email, isCounted } = await this.lockInvitation(em, zone.id, id);
        await this.invitations.renewInvitation(em, id, addMilliseconds(this.clock.now(), INVITATION_LIFETIME));
        await this.jobs.enqueue(em, sendInvitation, { invitationId: id });
        await this.recordAudit(em, 'zone.invitation-resent', zone.id, id, actorId);
        await this.reserveDailyEmail(em, zone.ownerId, email);
        if (isCounted) return;
        const newAddresses = await this.audience.incrementPendingInvitations(em, zone.ownerId, [email]);
        if (newAddresses.size > 0) await this.usage.addUsage(em, zone.ownerId, 'people', 1);
      }),
    );
  }

  /**
   * Revokes an invitation: the link becomes invalid and the quota is released.
   * @throws INVITATION_NOT_FOUND, also for the second of two concurrent calls
   */
  async revokeInvitation(zone: InvitationZone, id: number, actorId: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const { email, isCounted } = await this.lockInvitation(em, zone.id, id);
      await this.invitations.deleteInvitations(em, [id]);
      await this.recordAudit(em, 'zone.invitation-revoked', zone.id, id, actorId);
      if (isCounted) await this.invitationQuota.releaseInvitations(em, zone.ownerId, [email]);
    });
  }

  private async reserveDailyEmail(em: EntityManager, ownerId: number, email: string): Promise<void> {
    if ((await this.nonMemberEmailQuota.reserveForAddresses(em, ownerId, [email])).size === 0) {
      throw invitationErrors.ADDRESS_MAIL_LIMIT();
    }
    if ((await this.nonMemberEmailQuota.reserveUpTo(em, ownerId, 1)) === 0) throw invitationErrors.DAILY_MAIL_LIMIT();
  }

  private async lockInvitation(em: EntityManager, zoneId: number, id: number) {
    const row = await this.invitations.lockUnusedInvitation(em, zoneId, id);
    if (!row) throw invitationErrors.INVITATION_NOT_FOUND();
    return row;
  }

  private recordAudit(em: EntityManager, type: AuditType, zoneId: number, invitationId: number, actorId: number) {
    return this.audit.record(em, { type, actorId, params: { zoneId, invitationId } });
  }
}
