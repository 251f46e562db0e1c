import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import type { MembershipZone } from '../zones.events.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { MembershipRepository, type EndedMembership } from '../joining/membership.repository.js';
import { AudienceService } from '../members/audience.service.js';
import { ZoneRepository } from '../zone/zone.repository.js';

/** Removes people from zones; the counterpart of `MembershipService`. All ways of leaving end here. */
@Injectable()
export class MemberRemovalService {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly zones: ZoneRepository,
    private readonly activity: ActivityService,
    private readonly audience: AudienceService,
    private readonly invitations: InvitationRepository,
    private readonly invitationQuota: InvitationQuotaService,
  ) {}

  /**
   * Removes a person from a zone and its counters, in the caller's transaction, and deletes the person's invitation.
   * @param cause whether the person left or was removed by the owner
   * @returns the former membership; null if the person is not a member, or owns the zone
   */
  async removeMember(
    em: EntityManager,
    zone: MembershipZone,
    userId: number,
    cause: 'left' | 'removed' = 'left',
  ): Promise<EndedMembership | null> {
    if (!(await this.zones.lockZone(em, zone.id))) return null;
    await this.invitations.lockInvitation(em, zone.id, userId);
    const row = await this.memberships.deleteMembership(em, zone.id, userId);
    if (!row) return null;
    const { isCounted, ...ended } = row;
    await this.activity.record(em, {
      type: `member.${cause}`,
      ownerId: zone.ownerId,
      zoneId: zone.id,
      userId,
      params: { zoneName: zone.name },
    });
    const isInvited = await this.invitations.deleteInvitation(em, zone.id, ended.email);
    if (isCounted) await this.audience.removePeople(em, zone, [ended.email]);
    if (isInvited) await this.invitationQuota.releaseInvitations(em, zone.ownerId, [ended.email]);
    return ended;
  }

  /** Removes a deleted account from all zones of other owners, each in its own transaction. */
  async removeFromAllZones(em: EntityManager, userId: number, signal: AbortSignal): Promise<void> {
    for (const zoneId of await this.memberships.findJoinedZones(em, userId)) {
      signal.throwIfAborted();
      await inTransaction(em, async (em) => {
        // A zone that is being deleted has already removed its members from the counters.
        const zone = await this.zones.lockZone(em, zoneId);
        if (zone) await this.removeMember(em, zone, userId);
      });
    }
  }
}
