import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { after, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits } from '../../../platform/http/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneFullService } from '../zone-full.service.js';
import { InvitationListService } from './invitation-list.service.js';
import { InvitationPlaces } from './invitation-places.service.js';
import {
  INVITATION_LIFETIME,
  INVITATIONS_BY_ADDRESS,
  INVITATIONS_BY_OWNER,
  subjectOf,
  type InvitingZone,
} from './invitation.service.js';
import { invitationErrors } from './invitations.errors.js';
import { sendInvitation } from './send-invitation.job.js';

type Tables = typeof InvitationSchema;

/** Sending an invitation again, and taking it back. */
@Injectable()
export class InvitationChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly lists: InvitationListService,
    private readonly places: InvitationPlaces,
    private readonly usage: UsageService,
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
   */
  async resend(zone: InvitingZone, id: number, actorId: number): Promise<void> {
    const { email: address } = await this.lists.one(zone.id, id);
    await this.limits.take(INVITATIONS_BY_ADDRESS, subjectOf(zone.ownerId, address));
    await this.limits.take(INVITATIONS_BY_OWNER, zone.ownerId);
    await this.zoneFull.guard(zone.ownerId, actorId, () =>
      inTransaction(this.em, async (em) => {
        const { email, isCounted } = await this.lock(em, zone.id, id);
        await query<Tables>(em)
          .updateTable('invitations')
          .set({ digest: null, password_digest: null, is_counted: true, sent_at: null })
          .set({ expires_at: after(this.clock.now(), INVITATION_LIFETIME) })
          .where('id', '=', id)
          .execute();
        await this.jobs.enqueue(em, sendInvitation, { invitationId: id });
        await this.record(em, 'zone.invitation-resent', zone.id, id, actorId);
        if (isCounted) return;
        const fresh = await this.places.hold(em, zone.ownerId, [email]);
        if (fresh.size > 0) await this.usage.take(em, zone.ownerId, 'people', 1);
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
