import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneMemberSchema, type JoinMethod, type ZoneRole } from '../entities/zone-member.entity.js';
import type { MembershipZone } from '../zones.events.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { MembershipService } from '../joining/membership.service.js';
import { AudienceService } from '../members/audience.service.js';

type Tables = typeof ZoneMemberSchema;

/** A membership as it was when it ended. */
export interface EndedMembership {
  readonly email: string;
  readonly role: ZoneRole;
  readonly joinMethod: JoinMethod;
  readonly invitedById: number | null;
  readonly expiresAt: Date | null;
  readonly joinedAt: Date;
}

/** The one way out of a zone for a person, and the counterpart of `MembershipService`. */
@Injectable()
export class MemberRemovalService {
  constructor(
    private readonly membership: MembershipService,
    private readonly activity: ActivityService,
    private readonly audience: AudienceService,
    private readonly invitationQuota: InvitationQuotaService,
  ) {}

  /**
   * Takes a person out of a zone, in the caller's transaction, and out of the counts. An
   * invitation that the person has does not lead back in.
   * @param how of their own will, or taken out by the owner
   * @returns the membership as it was; null when the person is not in the zone, or owns it
   */
  async removeMember(
    em: EntityManager,
    zone: MembershipZone,
    userId: number,
    cause: 'left' | 'removed' = 'left',
  ): Promise<EndedMembership | null> {
    if (!(await this.membership.lockZone(em, zone.id))) return null;
    await this.invitationQuota.lockInvitation(em, zone.id, userId);
    const row = await query<Tables>(em)
      .deleteFrom('zone_members')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .returning(['email', 'role', 'join_method as joinMethod', 'invited_by_id as invitedById'])
      .returning(['expires_at as expiresAt', 'created_at as joinedAt', 'is_counted as isCounted'])
      .executeTakeFirst();
    if (!row) return null;
    const { isCounted, ...ended } = row;
    await this.activity.record(em, {
      type: `member.${cause}`,
      ...{ ownerId: zone.ownerId, zoneId: zone.id, userId, params: { zoneName: zone.name } },
    });
    const isInvited = await this.invitationQuota.deleteInvitation(em, zone.id, ended.email);
    if (isCounted) await this.audience.removePeople(em, zone, [ended.email]);
    if (isInvited) await this.invitationQuota.releaseInvitations(em, zone.ownerId, [ended.email]);
    return ended;
  }

  /** Takes somebody whose account is gone out of every zone of others, each in a transaction of its own. */
  async removeFromAllZones(em: EntityManager, userId: number, signal: AbortSignal): Promise<void> {
    const joined = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('zone_id as zoneId')
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .execute();
    for (const { zoneId } of joined) {
      signal.throwIfAborted();
      await inTransaction(em, async (em) => {
        // A zone that is being deleted has taken its members out of the counts already.
        const zone = await this.membership.lockZone(em, zoneId);
        if (zone) await this.removeMember(em, zone, userId);
      });
    }
  }
}
