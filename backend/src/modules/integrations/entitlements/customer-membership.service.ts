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

/** A zone that customers come into. */
export interface CustomerZone {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  /** The owner's: strangers are written to in it. */
  readonly language: Language;
}

/** Customers in zones: in by purchase, and out when nothing that they bought opens the zone any more. */
@Injectable()
export class CustomerMembershipService {
  constructor(
    private readonly membershipService: MembershipService,
    private readonly remover: MemberRemovalService,
    private readonly membershipRestrictions: MembershipRestrictionService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * The zone, or null when it has been deleted. In a transaction it is kept from being deleted until the commit: it comes
   * before what was bought is locked.
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
   * Lets a customer in, without a consent to campaigns: paying is none. Who was taken out or blocked comes in as well,
   * because the money was taken; of a block that ends so the owner is told. A block that is made at the same moment comes
   * before or after it, so nobody is in the zone and blocked.
   * @returns false for somebody who is in the zone already
   * @throws PLAN_LIMIT of the owner
   */
  async addCustomer(em: EntityManager, zone: CustomerZone, userId: number): Promise<boolean> {
    await this.lockCustomer(em, zone.id, userId);
    await this.membershipRestrictions.lockPerson(em, zone.id, userId);
    await this.membershipRestrictions.deleteJoinRequests(em, zone.id, [userId]);
    const user = await em.findOneOrFail(User, { id: userId });
    const isBlocked = (await this.membershipRestrictions.getRestriction(em, zone.id, userId)) === 'blocked';
    const alsoWrite = async (em: EntityManager) => {
      if (isBlocked) await this.jobs.enqueue(em, notifyBlockedCustomerPurchase, { zoneId: zone.id, userId });
    };
    return this.membershipService.addMember(em, {
      zone,
      user,
      method: 'purchase',
      consent: null,
      onMemberAdded: alsoWrite,
    });
  }

  /**
   * Ends the membership of somebody who came by purchase and has nothing bought that opens the zone. Whoever came in
   * another way, or was made an admin since, stays.
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

  /** Of two purchases of one person, what is given and what is taken back come one after the other, until the commit. */
  private async lockCustomer(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`customer:${zoneId}:${userId}`}, 0))`.execute(
      query<Tables>(em),
    );
  }
}
