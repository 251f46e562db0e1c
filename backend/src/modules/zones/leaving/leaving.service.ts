import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { ConsentRepository } from '../consent/consent.repository.js';
import { MembershipRestrictionRepository } from '../restrictions/membership-restriction.repository.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { MembershipService } from '../joining/membership.service.js';
import { JoinRequestRepository } from '../requests/join-request.repository.js';
import { MemberRemovalService } from './member-removal.service.js';
import { LeaveRepository } from './leave.repository.js';
import { SuppressionRepository } from './suppression.repository.js';
import { UnsubscribeLinkService, type UnsubscribeLink } from './unsubscribe-link.service.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { ZoneCapacityService } from '../zone/zone-capacity.service.js';
import { ZoneRepository, type LockedZone } from '../zone/zone.repository.js';
import { zoneErrors } from '../zones.errors.js';

/** A spam complaint about an email: its zone and the owner who sent it. */
export interface Complaint extends UnsubscribeLink {
  readonly ownerId: number;
}

/** How often a person may leave the same public zone in the app within `LEAVE_WINDOW`. */
export const MAX_LEAVES = 2;
export const LEAVE_WINDOW = 365 * DAY;
/** How long leaving by email, or a removal, can be undone. */
export const UNDO_WINDOW = 30 * DAY;

/** Handles leaving a zone, and undoing it. */
@Injectable()
export class LeavingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly leaves: LeaveRepository,
    private readonly zones: ZoneRepository,
    private readonly memberships: MembershipRepository,
    private readonly requests: JoinRequestRepository,
    private readonly users: UserRepository,
    private readonly membership: MembershipService,
    private readonly memberRemoval: MemberRemovalService,
    private readonly consents: ConsentRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly links: UnsubscribeLinkService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly restrictions: MembershipRestrictionRepository,
  ) {}

  /**
   * Leaves a zone in the app and unsubscribes from its emails. The second of two concurrent calls does nothing.
   * @throws LEAVE_LIMIT on the third time within a year for a public zone; the link in emails still works then
   */
  leaveInApp({ id: zoneId }: AccessibleZone, userId: number, reason: string | null): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.zones.lockZone(em, zoneId);
      const ended = zone && (await this.memberRemoval.removeMember(em, zone, userId));
      if (!zone || !ended) return;
      if (zone.type === 'public' && (await this.countRecentLeaves(em, zoneId, userId)) >= MAX_LEAVES) {
        throw zoneErrors.LEAVE_LIMIT({ url: this.links.pageUrl({ userId, zoneId }) });
      }
      await this.leaves.insertLeave(em, zone, userId, ended, { via: 'app', reason });
      await this.consents.unsubscribe(em, zoneId, userId, reason);
    });
  }

  /**
   * Leaves by the link or the one-click button of an email. Always possible, any number of times. People who are no
   * longer members are only unsubscribed, which protects them from imports.
   */
  async leaveByLink(link: UnsubscribeLink): Promise<void> {
    await this.setPoolTenantByZone(link);
    return inTransaction(this.em, (em) => this.leaveZone(em, link, 'link'));
  }

  /**
   * Handles a spam complaint in the caller's transaction: the person leaves the zone and receives no more emails from
   * its owner. Applies even if the zone no longer exists, because the owner may have others.
   */
  async handleComplaint(em: EntityManager, { userId, zoneId, ownerId }: Complaint): Promise<void> {
    await this.zones.lockZone(em, zoneId);
    const user = await this.users.findUserOrErasedIn(em, userId);
    if (!user) return;
    await this.suppressions.addSuppression(em, ownerId, user.email, 'complaint');
    await this.leaveZone(em, { userId, zoneId }, 'complaint');
  }

  /**
   * Undoes leaving by email and restores the membership. Idempotent.
   * @throws UNDO_TOO_LATE after 30 days, if the membership would have expired meanwhile, or if the owner has since
   * removed or blocked the person; ZONE_FULL
   */
  async undoLeaveByLink(link: UnsubscribeLink): Promise<void> {
    await this.setPoolTenantByZone(link);
    const { userId, zoneId } = link;
    const restored = await this.restoreMembership(userId, zoneId, 'link', null);
    if (!restored && !(await this.memberships.isMember(this.em, zoneId, userId))) throw zoneErrors.UNDO_TOO_LATE();
  }

  /**
   * Removes a member on behalf of the owner. Open invitations are deleted too; links to the zone then only lead to a
   * join request.
   * @throws MEMBER_NOT_FOUND, OWNER_STAYS
   */
  async removeMember({ id: zoneId, ownerId }: AccessibleZone, userId: number): Promise<void> {
    if (userId === ownerId) throw zoneErrors.OWNER_STAYS();
    return inTransaction(this.em, async (em) => {
      const zone = await this.zones.lockZone(em, zoneId);
      if (!zone || !(await this.removeMemberInTransaction(em, zone, userId))) throw zoneErrors.MEMBER_NOT_FOUND();
    });
  }

  /**
   * Like `removeMember`, in the caller's transaction, which must have locked the zone.
   * @returns false if the person is not a member
   */
  async removeMemberInTransaction(em: EntityManager, zone: LockedZone, userId: number): Promise<boolean> {
    await this.restrictions.lockPerson(em, zone.id, userId);
    const ended = await this.memberRemoval.removeMember(em, zone, userId, 'removed');
    if (!ended) return false;
    await this.leaves.insertLeave(em, zone, userId, ended, { via: 'removed', reason: null });
    await this.restrictions.recordRemoval(em, zone.id, userId);
    return true;
  }

  /**
   * Restores the membership of a removed member.
   * @throws UNDO_TOO_LATE if there is nothing to restore or the person has unsubscribed meanwhile; PLAN_LIMIT
   * @throws OWNER_STAYS
   */
  async undoRemoval(zone: AccessibleZone, userId: number, actorId: number): Promise<void> {
    if (userId === zone.ownerId) throw zoneErrors.OWNER_STAYS();
    const restored = await this.restoreMembership(userId, zone.id, 'removed', actorId);
    if (!restored && !(await this.memberships.isMember(this.em, zone.id, userId))) throw zoneErrors.UNDO_TOO_LATE();
  }

  /** Returns until when leaving by email can be undone, or null if it can't. */
  async getUndoDeadline({ userId, zoneId }: UnsubscribeLink): Promise<Date | null> {
    if ((await this.restrictions.getRestriction(this.em, zoneId, userId)) !== 'free') return null;
    const leave = await this.leaves.findUndoableLeave(zoneId, userId, 'link', this.undoWindowStart());
    return leave ? addMilliseconds(leave.leftAt, UNDO_WINDOW) : null;
  }

  /**
   * Sets the pool tenant here, because no guard has resolved the zone of an emailed link, and many people may use such
   * links at once.
   */
  private async setPoolTenantByZone({ zoneId }: UnsubscribeLink): Promise<void> {
    const ownerId = await this.zones.findOwner(zoneId);
    if (ownerId !== null) setPoolTenantOwner(ownerId);
  }

  private async leaveZone(em: EntityManager, { userId, zoneId }: UnsubscribeLink, via: 'link' | 'complaint') {
    const zone = await this.zones.lockZone(em, zoneId);
    if (!zone || zone.ownerId === userId || !(await this.users.findUserOrErasedIn(em, userId))) return;
    const ended = await this.memberRemoval.removeMember(em, zone, userId);
    if (ended) await this.leaves.insertLeave(em, zone, userId, ended, { via, reason: null });
    await this.consents.unsubscribe(em, zoneId, userId, null);
  }

  private async restoreMembership(userId: number, zoneId: number, via: 'link' | 'removed', actorId: number | null) {
    const zone = await this.zones.lockZone(this.em, zoneId);
    if (!zone) return false;
    const work = () => inTransaction(this.em, (em) => this.restoreInTransaction(em, zone, userId, via));
    return this.zoneCapacity.translatePlanLimit(zone.ownerId, actorId, work);
  }

  private async restoreInTransaction(
    em: EntityManager,
    zone: LockedZone,
    userId: number,
    via: 'link' | 'removed',
  ): Promise<boolean> {
    if (!(await this.zones.lockZone(em, zone.id))) return false;
    await this.restrictions.lockPerson(em, zone.id, userId);
    if (via === 'link' && (await this.restrictions.getRestriction(em, zone.id, userId)) !== 'free') return false;
    const last = await this.leaves.lockUndoableLeave(em, zone.id, userId, via, this.undoWindowStart());
    const user = last && (await this.users.findUserIn(em, { id: userId }));
    if (!last || !user) return false;
    if (via === 'removed' && (await this.consents.isUnsubscribed(em, zone.id, userId))) return false;
    await this.requests.deleteRequests(em, zone.id, [userId]);
    await this.leaves.markUndone(em, last.id);
    if (via === 'link') await this.consents.resubscribe(em, zone.id, userId);
    const role = last.role === 'admin' ? 'admin' : 'member';
    await this.membership.addMember(em, { ...last, zone, isZoneLocked: true, user, role, consent: null });
    return true;
  }

  private countRecentLeaves(em: EntityManager, zoneId: number, userId: number): Promise<number> {
    return this.leaves.countLeavesInApp(em, zoneId, userId, addMilliseconds(this.clock.now(), -LEAVE_WINDOW));
  }

  private undoWindowStart(): Date {
    return addMilliseconds(this.clock.now(), -UNDO_WINDOW);
  }
}
