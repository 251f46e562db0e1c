import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UsageService } from '../plans/usage.service.js';
import { AudienceSchema } from './entities/audience.entity.js';
import { ZoneMemberSchema } from './entities/zone-member.entity.js';
import { ZoneSchema } from './entities/zone.entity.js';
import { InvitationPlaces } from './invitations/invitation-places.service.js';
import { purgeZone } from './purge-zone.job.js';
import { tellZoneRemoved } from './tell-zone-removed.job.js';

type Tables = typeof ZoneSchema | typeof ZoneMemberSchema | typeof AudienceSchema;

/** Who deletes a zone, null for the service itself, and from which address. */
export interface ZoneRemover {
  readonly actorId: number | null;
  readonly ipAddress?: string | null;
}

/** Deleting zones: at once for everybody who looks, in a job for what lies in them. */
@Injectable()
export class ZoneRemovalService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly invitations: InvitationPlaces,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Deletes a zone for good: nobody reaches it from now on, its people and invitations leave the owner's audience, and
   * a job removes the files. The owner is told when somebody else did it. A second call finds nothing to do.
   */
  delete(zoneId: number, { actorId, ipAddress = null }: ZoneRemover): Promise<void> {
    return inTransaction(this.em, async (em) => {
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
        await this.jobs.enqueue(em, tellZoneRemoved, { ownerId: zone.ownerId, zoneName: zone.name });
      }
      const gone = await this.countOut(em, zoneId, zone.ownerId);
      await this.usage.give(em, zone.ownerId, 'zones', 1);
      if (gone > 0) await this.usage.give(em, zone.ownerId, 'people', gone);
    });
  }

  /** Takes the zone's members out of the owner's audience; gives how many people were in no other zone. */
  private async countOut(em: EntityManager, zoneId: number, ownerId: number): Promise<number> {
    await this.invitations.revokeAll(em, zoneId, ownerId);
    await query<Tables>(em)
      .updateTable('audience')
      .from('zone_members')
      .set({ zones: sql<number>`audience.zones - 1` })
      .whereRef('zone_members.user_id', '=', 'audience.user_id')
      .where('audience.owner_id', '=', ownerId)
      .where('zone_members.zone_id', '=', zoneId)
      .where('zone_members.role', '!=', 'owner')
      .where('zone_members.is_counted', '=', true)
      .execute();
    const gone = await query<Tables>(em)
      .deleteFrom('audience')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`zones + pending = 0`)
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  }
}
