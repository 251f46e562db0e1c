import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { User, UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { MembershipService } from '../../zones/joining/membership.service.js';
import { MembershipRestrictionService } from '../../zones/restrictions/membership-restriction.service.js';
import { MemberRemovalService } from '../../zones/leaving/member-removal.service.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { notifyBlockedCustomerPurchase } from '../integrations.jobs.js';

type Tables = typeof ZoneSchema | typeof UserSchema | typeof ZoneMemberSchema | typeof EntitlementSchema;

/** A zone to which purchases give access. */
export interface CustomerZone {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  /** The owner's language, used for emails to new customers. */
  readonly language: Language;
}

/**
 * Manages memberships of customers: adds them after a purchase, and removes them when none of their purchases gives
 * access any more.
 */
@Injectable()
export class CustomerMembershipService {
  constructor(
    private readonly membershipService: MembershipService,
    private readonly remover: MemberRemovalService,
    private readonly membershipRestrictions: MembershipRestrictionService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Returns the zone, or null when it is deleted. In a transaction it is locked against deletion until the commit; call
   * this before locking entitlements.
   */
  async findZone(em: EntityManager, zoneId: number): Promise<CustomerZone | null> {
    const row = await query<Tables>(em)
      .selectFrom('zones as z')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.name as name', 'o.language as language'])
      .where('z.id', '=', zoneId)
      .where('z.deleted_at', 'is', null)
      .forShare('z')
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Adds a customer to a zone, without consent to campaigns, because a purchase isn't consent. Removed or blocked
   * people are added as well, because they have paid; the owner is notified when this ends a block. A concurrent block
   * is applied either before or after this, so nobody is both a member and blocked.
   * @returns false when the customer is already a member
   * @throws PLAN_LIMIT of the owner
   */
  async addCustomer(em: EntityManager, zone: CustomerZone, userId: number): Promise<boolean> {
    await this.lockCustomer(em, zone.id, userId);
    await this.membershipRestrictions.lockPerson(em, zone.id, userId);
    await this.membershipRestrictions.deleteJoinRequests(em, zone.id, [userId]);
    const user = await em.findOneOrFail(User, { id: userId });
    const isBlocked = (await this.membershipRestrictions.getRestriction(em, zone.id, userId)) === 'blocked';
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
    await this.lockCustomer(em, zone.id, userId);
    const otherEntitlement = await query<Tables>(em)
      .selectFrom('entitlements')
      .select('id')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .where('state', '=', 'granted')
      .executeTakeFirst();
    if (otherEntitlement) return;
    const member = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('id')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .where('join_method', '=', 'purchase')
      .where('role', '=', 'member')
      .executeTakeFirst();
    if (member) await this.remover.removeMember(em, zone, userId);
  }

  /** Serialises changes to all purchases of one customer in a zone, until the commit. */
  private async lockCustomer(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`customer:${zoneId}:${userId}`}, 0))`.execute(
      query<Tables>(em),
    );
  }
}
