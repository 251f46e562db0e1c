import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { JoinRequestSchema } from '../entities/join-request.entity.js';
import { InvitationQuotaService } from '../invitations/invitation-quota.service.js';
import { LeavingService } from '../leaving/leaving.service.js';
import { MembershipService } from '../joining/membership.service.js';
import type { AccessibleZone } from '../access/zone-access.service.js';
import { zoneErrors } from '../zones.errors.js';
import type { BlockDto } from '../dto/member.dto.js';
import { MembershipRestrictionService } from './membership-restriction.service.js';
import { ZoneBlockSchema } from './zone-block.entity.js';

type Tables = typeof ZoneBlockSchema | typeof JoinRequestSchema | typeof UserSchema;

/** Blocks people in a zone. Their join requests get the same response as all others but are shown to no one. */
@Injectable()
export class BlockService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly membershipRestriction: MembershipRestrictionService,
    private readonly leaving: LeavingService,
    private readonly membership: MembershipService,
    private readonly invitationQuota: InvitationQuotaService,
  ) {}

  /** Newest first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<BlockDto>> {
    const matching = query<Tables>(this.em)
      .selectFrom('zone_blocks as b')
      .innerJoin('users as u', 'u.id', 'b.user_id')
      .where('b.zone_id', '=', zoneId)
      .where('u.erased_at', 'is', null);
    let blocks = matching
      .select(['b.blocked_at as blockedAt', 'u.id as userId', 'u.email as email', 'u.first_name as firstName'])
      .select(['u.last_name as lastName', 'u.username as username', 'u.profile_image_url as profileImageUrl'])
      .orderBy('b.blocked_at', 'desc')
      .orderBy('b.user_id', 'desc')
      .limit(limit + 1);
    if (cursor) blocks = blocks.where(beforeCursor(cursor));
    const rows = (await blocks.execute()).map(({ userId, blockedAt, ...names }) => ({
      blockedAt,
      user: { id: userId, ...names },
    }));
    return toPage(rows, limit, await countRows(matching), ({ blockedAt, user }) => [blockedAt.toISOString(), user.id]);
  }

  /**
   * Blocks a current or former member, or a requester. Ends the person's membership, request and invitation.
   * Idempotent.
   * @throws MEMBER_NOT_FOUND for anyone else, whether they exist or not; OWNER_STAYS
   */
  async blockPerson({ id: zoneId, ownerId }: AccessibleZone, userId: number): Promise<void> {
    if (userId === ownerId) throw zoneErrors.OWNER_STAYS();
    await inTransaction(this.em, async (em) => {
      const zone = await this.membership.lockZone(em, zoneId);
      if (!zone || !(await this.hasRelation(em, zoneId, userId))) throw zoneErrors.MEMBER_NOT_FOUND();
      await this.membershipRestriction.lockZoneAgainstBulkInsert(em, zoneId);
      await this.membershipRestriction.lockPerson(em, zoneId, userId);
      await this.declineRequestSilently(em, zoneId, userId);
      await query<Tables>(em)
        .insertInto('zone_blocks')
        .values({ zone_id: zoneId, user_id: userId, blocked_at: this.clock.now() })
        .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doNothing())
        .execute();
      if (!(await this.leaving.removeMemberInTransaction(em, zone, userId)))
        await this.revokeInvitation(em, zone, userId);
    });
  }

  /** Ends a block. The person may ask to join again immediately; an earlier removal stays in effect. */
  unblockPerson({ id: zoneId }: AccessibleZone, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.membershipRestriction.lockPerson(em, zoneId, userId);
      if ((await this.membershipRestriction.getRestriction(em, zoneId, userId)) !== 'blocked') return;
      await this.membershipRestriction.deleteJoinRequests(em, zoneId, [userId]);
      await query<Tables>(em)
        .deleteFrom('zone_blocks')
        .where('zone_id', '=', zoneId)
        .where('user_id', '=', userId)
        .execute();
    });
  }

  /**
   * The request is marked as declined rather than deleted: it is part of the person's data export, which must not
   * reveal the block.
   */
  private async declineRequestSilently(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('join_requests')
      .set({ declined_at: this.clock.now(), is_notice_due: false })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('declined_at', 'is', null)
      .execute();
  }

  private async hasRelation(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const { rows } = await sql<{ isRelated: boolean }>`
      select exists (select from zone_members where zone_id = ${zoneId} and user_id = ${userId})
        or exists (select from join_requests where zone_id = ${zoneId} and user_id = ${userId})
        or exists (select from zone_leaves where zone_id = ${zoneId} and user_id = ${userId})
        or exists (select from zone_blocks where zone_id = ${zoneId} and user_id = ${userId}) as "isRelated"`.execute(
      query<Tables>(em),
    );
    return rows[0]!.isRelated;
  }

  private async revokeInvitation(em: EntityManager, zone: { id: number; ownerId: number }, userId: number) {
    await this.invitationQuota.lockInvitation(em, zone.id, userId);
    const person = await query<Tables>(em)
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!person || !(await this.invitationQuota.deleteInvitation(em, zone.id, person.email))) return;
    await this.invitationQuota.releaseInvitations(em, zone.ownerId, [person.email]);
  }
}

/** @throws VALIDATION_FAILED for an invalid cursor */
function beforeCursor(cursor: string) {
  return sql<boolean>`(b.blocked_at, b.user_id) < ${cursorTuple(cursor, ['timestamptz', 'bigint'])}`;
}
