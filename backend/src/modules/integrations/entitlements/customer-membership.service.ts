import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { MembershipService } from '../../zones/joining/membership.service.js';
import { JoinRequestRepository } from '../../zones/requests/join-request.repository.js';
import { MembershipRestrictionRepository } from '../../zones/restrictions/membership-restriction.repository.js';
import { MemberRemovalService } from '../../zones/leaving/member-removal.service.js';
import { EntitlementRepository, type CustomerZone } from './entitlement.repository.js';
import { notifyBlockedCustomerPurchase } from '../integrations.jobs.js';

/**
 * Manages memberships of customers: adds them after a purchase, and removes them when none of their purchases gives
 * access any more.
 */
@Injectable()
export class CustomerMembershipService {
  constructor(
    private readonly entitlements: EntitlementRepository,
    private readonly users: UserRepository,
    private readonly membershipService: MembershipService,
    private readonly remover: MemberRemovalService,
    private readonly requests: JoinRequestRepository,
    private readonly restrictions: MembershipRestrictionRepository,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Adds a customer to a zone, without consent to campaigns, because a purchase isn't consent. Removed or blocked
   * people are added as well, because they have paid; the owner is notified when this ends a block. A concurrent block
   * is applied either before or after this, so nobody is both a member and blocked.
   * @returns false when the customer is already a member
   * @throws PLAN_LIMIT of the owner
   */
  async addCustomer(em: EntityManager, zone: CustomerZone, userId: number): Promise<boolean> {
    await this.entitlements.lockCustomer(em, zone.id, userId);
    await this.restrictions.lockPerson(em, zone.id, userId);
    await this.requests.deleteRequests(em, zone.id, [userId]);
    const user = await this.users.getUserIn(em, userId);
    const isBlocked = (await this.restrictions.getRestriction(em, zone.id, userId)) === 'blocked';
    const onMemberAdded = async (em: EntityManager) => {
      if (isBlocked) await this.jobs.enqueue(em, notifyBlockedCustomerPurchase, { zoneId: zone.id, userId });
    };
    return this.membershipService.addMember(em, {
      zone,
      user,
      method: 'purchase',
      consent: null,
      onMemberAdded,
    });
  }

  /**
   * Ends the membership of a customer who joined by purchase and has no purchase left that gives access to the zone.
   * People who joined in another way, or have become admins, stay members.
   */
  async endPurchasedMembership(em: EntityManager, zone: CustomerZone, userId: number): Promise<void> {
    await this.entitlements.lockCustomer(em, zone.id, userId);
    if (await this.entitlements.hasGrantedEntitlement(em, zone.id, userId)) return;
    if (await this.entitlements.isMemberByPurchase(em, zone.id, userId))
      await this.remover.removeMember(em, zone, userId);
  }
}
