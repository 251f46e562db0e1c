import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { ZoneUsePort } from './zone-use.port.js';
import { ZoneRepository } from './zone.repository.js';
import { purgeZone, notifyZoneDeleted } from '../zones.jobs.js';

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
    private readonly zones: ZoneRepository,
    private readonly usage: UsageService,
    private readonly invitations: InvitationRepository,
    private readonly audience: AudienceRepository,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
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
      const zone = await this.zones.markDeleted(em, zoneId);
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
      const invited = await this.invitations.deleteZoneInvitations(em, zoneId);
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
    for (const { id, deletedAt } of await this.zones.listOwnedZones(ownerId)) {
      signal.throwIfAborted();
      if (deletedAt === null) await this.deleteZone(id, { actorId: null });
    }
    return (await this.zones.listOwnedZones(ownerId)).length === 0;
  }
}
