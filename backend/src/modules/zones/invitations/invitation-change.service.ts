import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { after, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits } from '../../../platform/http/limits/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { StrangerMails } from '../strangers/stranger-mail.service.js';
import { ZoneFullService } from '../zone/zone-full.service.js';
import { InvitationReader } from './invitation-reader.service.js';
import { InvitationPlaces } from './invitation-places.service.js';
import { INVITATION_LIFETIME, INVITATIONS_BY_OWNER, type InvitingZone } from './invitation.service.js';
import { invitationErrors } from '../zones.errors.js';
import { sendInvitation } from '../zones.jobs.js';

type Tables = typeof InvitationSchema;

/** Sending an invitation again, and taking it back. */
@Injectable()
export class InvitationChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly lists: InvitationReader,
    private readonly places: InvitationPlaces,
    private readonly usage: UsageService,
    private readonly strangers: StrangerMails,
    private readonly zoneFull: ZoneFullService,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Sends a fresh mail, good for another 7 days; the link and the temporary password of the old one are dead at once.
   * One that had expired takes a place in the plan again.
   * @throws INVITATION_NOT_FOUND when it is not of this zone, was used or revoked
   * @throws PLAN_LIMIT to the owner, ZONE_FULL to a zone admin; TOO_MANY_REQUESTS
   * @throws ADDRESS_MAIL_LIMIT, DAILY_MAIL_LIMIT when today's mails to the address, or of the owner, are used up
   */
  async resend(zone: InvitingZone, id: number, actorId: number): Promise<void> {
    await this.lists.one(zone.id, id);
    await this.limits.spend(INVITATIONS_BY_OWNER, zone.ownerId);
    await this.zoneFull.guard(zone.ownerId, actorId, () =>
      inTransaction(this.em, async (em) => {
        const { email, isCounted } = await this.lock(em, zone.id, id);
        await query<Tables>(em)
          .updateTable('invitations')
          .set({ digest: null, password_digest: null, is_counted: true, sent_at: null, kept_at: null })
          .set({ undeliverable_at: null, is_notice_due: false })
          .set({ expires_at: after(this.clock.now(), INVITATION_LIFETIME) })
          .where('id', '=', id)
          .execute();
        await this.jobs.enqueue(em, sendInvitation, { invitationId: id });
        await this.record(em, 'zone.invitation-resent', zone.id, id, actorId);
        await this.keepDay(em, zone.ownerId, email);
        if (isCounted) return;
        const fresh = await this.places.hold(em, zone.ownerId, [email]);
        if (fresh.size > 0) await this.usage.charge(em, zone.ownerId, 'people', 1);
      }),
    );
  }

  /**
   * Takes an invitation back: the link is dead, and the place is free again.
   * @throws INVITATION_NOT_FOUND, also to the second of two who do it at once
   */
  async revoke(zone: InvitingZone, id: number, actorId: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const { email, isCounted } = await this.lock(em, zone.id, id);
      await query<Tables>(em).deleteFrom('invitations').where('id', '=', id).execute();
      await this.record(em, 'zone.invitation-revoked', zone.id, id, actorId);
      if (isCounted) await this.places.release(em, zone.ownerId, [email]);
    });
  }

  private async keepDay(em: EntityManager, ownerId: number, email: string): Promise<void> {
    if ((await this.strangers.chargeAddresses(em, ownerId, [email])).size === 0) {
      throw invitationErrors.ADDRESS_MAIL_LIMIT();
    }
    if ((await this.strangers.chargeUpTo(em, ownerId, 1)) === 0) throw invitationErrors.DAILY_MAIL_LIMIT();
  }

  private async lock(em: EntityManager, zoneId: number, id: number) {
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

  private record(em: EntityManager, type: AuditType, zoneId: number, invitationId: number, actorId: number) {
    return this.audit.record(em, { type, actorId, params: { zoneId, invitationId } });
  }
}
