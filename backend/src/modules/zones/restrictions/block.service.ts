import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { LeavingService } from '../leaving/leaving.service.js';
import { JoinRequestRepository } from '../requests/join-request.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { zoneErrors } from '../zones.errors.js';
import type { BlockDto } from '../dto/member.dto.js';
import { MembershipRestrictionRepository } from './membership-restriction.repository.js';

/** Blocks people in a zone. Their join requests get the same response as all others but are shown to no one. */
@Injectable()
export class BlockService {
  constructor(
    private readonly em: EntityManager,
    private readonly restrictions: MembershipRestrictionRepository,
    private readonly requests: JoinRequestRepository,
    private readonly zones: ZoneRepository,
    private readonly users: UserRepository,
    private readonly leaving: LeavingService,
    private readonly invitations: InvitationRepository,
    private readonly invitationQuota: InvitationQuotaService,
  ) {}

  /** Newest first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<BlockDto>> {
    const blocks = await this.restrictions.listBlocks(zoneId, limit + 1, cursor);
    const rows = blocks.map(({ userId, blockedAt, ...names }) => ({ blockedAt, user: { id: userId, ...names } }));
    const total = await this.restrictions.countBlocks(zoneId);
    return toPage(rows, limit, total, ({ blockedAt, user }) => [blockedAt.toISOString(), user.id]);
  }

  /**
   * Blocks a current or former member, or a requester. Ends the person's membership, request and invitation.
   * Idempotent.
   * @throws MEMBER_NOT_FOUND for anyone else, whether they exist or not; OWNER_STAYS
   */
  async blockPerson({ id: zoneId, ownerId }: AccessibleZone, userId: number): Promise<void> {
    if (userId === ownerId) throw zoneErrors.OWNER_STAYS();
    await inTransaction(this.em, async (em) => {
      const zone = await this.zones.lockZone(em, zoneId);
      if (!zone || !(await this.restrictions.hasRelation(em, zoneId, userId))) throw zoneErrors.MEMBER_NOT_FOUND();
      await this.restrictions.lockZoneAgainstBulkInsert(em, zoneId);
      await this.restrictions.lockPerson(em, zoneId, userId);
      // Marked as declined rather than deleted: it is part of the person's data export, which must not reveal the block.
      await this.requests.declineRequestOf(em, zoneId, userId);
      await this.restrictions.insertBlock(em, zoneId, userId);
      if (!(await this.leaving.removeMemberInTransaction(em, zone, userId)))
        await this.revokeInvitation(em, zone, userId);
    });
  }

  /** Ends a block. The person may ask to join again immediately; an earlier removal stays in effect. */
  unblockPerson({ id: zoneId }: AccessibleZone, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.restrictions.lockPerson(em, zoneId, userId);
      if ((await this.restrictions.getRestriction(em, zoneId, userId)) !== 'blocked') return;
      await this.requests.deleteRequests(em, zoneId, [userId]);
      await this.restrictions.deleteBlock(em, zoneId, userId);
    });
  }

  private async revokeInvitation(em: EntityManager, zone: { id: number; ownerId: number }, userId: number) {
    await this.invitations.lockInvitation(em, zone.id, userId);
    const { email } = await this.users.getUserIn(em, userId);
    if (!(await this.invitations.deleteInvitation(em, zone.id, email))) return;
    await this.invitationQuota.releaseInvitations(em, zone.ownerId, [email]);
  }
}
