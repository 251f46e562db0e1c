import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceService } from '../members/audience.service.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { zoneErrors } from '../zones.errors.js';
import { ZoneUsePort } from './zone-use.port.js';
import { purgeZone, notifyZoneDeleted } from '../zones.jobs.js';

type Tables = typeof ZoneSchema;

/** Who deletes a zone (null for the system) and from which IP address. */
export interface ZoneDeletionContext {
  readonly actorId: number | null;
  readonly ipAddress?: string | null;
  /** True if the person was warned that purchases give access to the zone and confirmed the deletion. */
  readonly isConfirmed?: boolean;
}

/** Deletes zones: they become inaccessible immediately, and a job deletes their content. */
@Injectable()
export class ZoneDeletionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly audience: AudienceService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly zoneUse: ZoneUsePort,
  ) {}

  /**
   * Deletes a zone permanently. It becomes inaccessible immediately, its members and invitations leave the owner's
   * audience, and a job deletes the files. The owner is notified if another person did it. Idempotent.
   * @throws ZONE_IN_USE if purchases give access to the zone and the deletion is not confirmed
   */
  deleteZone(zoneId: number, { actorId, ipAddress = null, isConfirmed = false }: ZoneDeletionContext): Promise<void> {
    return inTransaction(this.em, async (em) => {
      if (actorId !== null && !isConfirmed) await this.assertNotInUse(em, zoneId);
      const zone = await query<Tables>(em)
        .updateTable('zones')
        .set({ deleted_at: this.clock.now() })
        .where('id', '=', zoneId)
        .where('deleted_at', 'is', null)
        .returning(['owner_id as ownerId', 'name'])
        .executeTakeFirst();
      if (!zone) return;
      await this.audit.record(em, {
        type: 'zone.deleted',
        actorId,
        ipAddress,
        subjectId: zone.ownerId,
        params: { zoneId },
      });
      await this.jobs.enqueue(em, purgeZone, { zoneId });
      if (actorId !== null && actorId !== zone.ownerId) {
        await this.jobs.enqueue(em, notifyZoneDeleted, { ownerId: zone.ownerId, zoneName: zone.name });
      }
      const invited = await this.invitationQuota.deleteZoneInvitations(em, zoneId);
      const removedPeople = await this.audience.removeZoneFromAudience(em, zone.ownerId, zoneId, invited);
      if (removedPeople > 0) await this.usage.releaseUsage(em, zone.ownerId, 'people', removedPeople);
      await this.usage.releaseUsage(em, zone.ownerId, 'zones', 1);
    });
  }

  private async assertNotInUse(em: EntityManager, zoneId: number): Promise<void> {
    const uses = await this.zoneUse.describeUses(em, zoneId);
    if (uses) throw zoneErrors.ZONE_IN_USE({ uses });
  }

  /**
   * Deletes all zones of a deleted account.
   * @returns false while jobs are still deleting their content
   */
  async deleteAllOwnedBy(ownerId: number, signal: AbortSignal): Promise<boolean> {
    const owned = query<Tables>(this.em.fork())
      .selectFrom('zones')
      .select(['id', 'deleted_at as deletedAt'])
      .where('owner_id', '=', ownerId);
    for (const { id, deletedAt } of await owned.execute()) {
      signal.throwIfAborted();
      if (deletedAt === null) await this.deleteZone(id, { actorId: null });
    }
    return (await owned.executeTakeFirst()) === undefined;
  }
}
