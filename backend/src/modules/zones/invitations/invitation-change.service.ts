import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';
import { ZoneCapacityService } from '../zone/zone-capacity.service.js';
import { InvitationReaderService } from './invitation-reader.service.js';
import { InvitationQuotaService } from './invitation-quota.service.js';
import { INVITATION_LIFETIME, OWNER_INVITATION_RATE, type InvitationZone } from './invitation.service.js';
import { invitationErrors } from '../zones.errors.js';
import { sendInvitation } from '../zones.jobs.js';

type Tables = typeof InvitationSchema;

/** Sends invitations again and revokes them. */
@Injectable()
export class InvitationChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitationReader: InvitationReaderService,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly usage: UsageService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sends a new email, valid for another 7 days. The previous link and temporary password become invalid immediately.
   * An expired invitation uses quota again.
   * @throws INVITATION_NOT_FOUND if it is not in this zone, was used or was revoked
   * @throws PLAN_LIMIT (for a zone admin ZONE_FULL); TOO_MANY_REQUESTS
   * @throws ADDRESS_MAIL_LIMIT or DAILY_MAIL_LIMIT if the daily email limit of the address or the owner is reached
   */
  async resendInvitation(zone: InvitationZone, id: number, actorId: number): Promise<void> {
    await this.invitationReader.findOne(zone.id, id);
    await this.limits.consume(OWNER_INVITATION_RATE, zone.ownerId);
    await this.zoneCapacity.translatePlanLimit(zone.ownerId, actorId, () =>
      inTransaction(this.em, async (em) => {
        const { email, isCounted } = await this.lockInvitation(em, zone.id, id);
        await query<Tables>(em)
          .updateTable('invitations')
          .set({ digest: null, password_digest: null, is_counted: true, sent_at: null, kept_at: null })
          .set({ undeliverable_at: null, is_notice_due: false })
          .set({ expires_at: addMilliseconds(this.clock.now(), INVITATION_LIFETIME) })
          .where('id', '=', id)
          .execute();
        await this.jobs.enqueue(em, sendInvitation, { invitationId: id });
        await this.recordAudit(em, 'zone.invitation-resent', zone.id, id, actorId);
        await this.reserveDailyEmail(em, zone.ownerId, email);
        if (isCounted) return;
        const newAddresses = await this.invitationQuota.incrementPendingInvitations(em, zone.ownerId, [email]);
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
      await query<Tables>(em).deleteFrom('invitations').where('id', '=', id).execute();
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
    const row = await query<Tables>(em)
      .selectFrom('invitations')
      .select(['email', 'is_counted as isCounted'])
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .where('used', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw invitationErrors.INVITATION_NOT_FOUND();
    return row;
  }

  private recordAudit(em: EntityManager, type: AuditType, zoneId: number, invitationId: number, actorId: number) {
    return this.audit.record(em, { type, actorId, params: { zoneId, invitationId } });
  }
}
