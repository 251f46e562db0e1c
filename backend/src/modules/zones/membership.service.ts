import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { ActivityService } from '../activity/activity.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { UsageService } from '../plans/usage.service.js';
import { AudienceSchema } from './entities/audience.entity.js';
import { EmailConsentSchema } from './entities/email-consent.entity.js';
import { ZoneMemberSchema, type JoinMethod, type ZoneRole } from './entities/zone-member.entity.js';
import { ZoneStatsSchema } from './entities/zone-stats.entity.js';
import { nameKeys } from './member-keys.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneStatsSchema | typeof AudienceSchema | typeof EmailConsentSchema;

export interface Consent {
  readonly ipAddress: string | null;
  /** How it was given: the way in, or `import` when the owner declares it. */
  readonly method: string;
  /** The words that the person agreed to. */
  readonly text: string;
}

export interface Admission {
  readonly zone: { readonly id: number; readonly ownerId: number; readonly name: string };
  readonly user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'username'>;
  readonly method: JoinMethod;
  readonly role?: Exclude<ZoneRole, 'owner'>;
  /** null when the person joins without agreeing to mails. */
  readonly consent: Consent | null;
  readonly invitedById?: number;
  readonly expiresAt?: Date | null;
}

/** The one writer of memberships: every way into a zone and out of it goes through here. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Lets a person into a zone, in the caller's transaction. Writes the membership, the consent, the counts of the
   * zone, the owner's audience and, last, what the owner uses of the plan: a person in several zones counts once.
   * @returns false when the person is in the zone already; only a given consent is noted then
   * @throws PLAN_LIMIT of the owner; who is not the owner must be told ZONE_FULL
   */
  async admit(em: EntityManager, admission: Admission): Promise<boolean> {
    const { zone, user } = admission;
    const joined = await this.insertMember(em, admission);
    if (admission.consent) await this.recordConsent(em, zone.id, user.id, admission.consent);
    if (!joined) return false;
    await this.activity.record(em, {
      type: 'member.joined',
      ownerId: zone.ownerId,
      zoneId: zone.id,
      userId: user.id,
      params: { zoneName: zone.name },
    });
    const isNewPerson = await this.countIn(em, zone.ownerId, user);
    await query<Tables>(em)
      .updateTable('zone_stats')
      .set({ members: sql<number>`members + 1` })
      .where('zone_id', '=', zone.id)
      .execute();
    if (isNewPerson) await this.usage.take(em, zone.ownerId, 'people', 1);
    return true;
  }

  /** Writes the owner's own row, which counts neither as a member nor as a person of the audience. */
  async admitOwner(em: EntityManager, zoneId: number, owner: User): Promise<void> {
    await query<Tables>(em)
      .insertInto('zone_members')
      .values({
        zone_id: zoneId,
        user_id: owner.id,
        role: 'owner',
        join_method: 'owner',
        email: owner.email,
        ...nameKeys(owner),
        created_at: this.clock.now(),
      })
      .execute();
  }

  /**
   * Takes a person out of a zone, in the caller's transaction, and out of the counts: the counterpart of `admit`.
   * @returns false when the person is not in the zone, or owns it
   */
  async remove(em: EntityManager, zone: Admission['zone'], userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .deleteFrom('zone_members')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .returning(['email', 'is_counted'])
      .executeTakeFirst();
    if (!row) return false;
    await this.activity.record(em, {
      type: 'member.left',
      ownerId: zone.ownerId,
      zoneId: zone.id,
      userId,
      params: { zoneName: zone.name },
    });
    if (row.is_counted) await this.countOut(em, zone, row.email);
    return true;
  }

  /** True while the person is in the zone and the membership has not expired. */
  async isMember(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', this.clock.now())]))
      .executeTakeFirst();
    return row !== undefined;
  }

  private async insertMember(em: EntityManager, admission: Admission): Promise<boolean> {
    const { zone, user, method, role = 'member', invitedById = null, expiresAt = null } = admission;
    const inserted = await query<Tables>(em)
      .insertInto('zone_members')
      .values({
        zone_id: zone.id,
        user_id: user.id,
        role,
        join_method: method,
        invited_by_id: invitedById,
        expires_at: expiresAt,
        email: user.email,
        ...nameKeys(user),
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return inserted !== undefined;
  }

  private async recordConsent(em: EntityManager, zoneId: number, userId: number, consent: Consent): Promise<void> {
    const given = {
      consented_at: this.clock.now(),
      ip_address: consent.ipAddress,
      consent_method: consent.method,
      consent_text: consent.text,
    };
    await query<Tables>(em)
      .insertInto('email_consents')
      .values({ zone_id: zoneId, user_id: userId, ...given })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doUpdateSet(given))
      .execute();
  }

  /** Counts one more zone for the person in the owner's audience; true when the person is new in it. */
  private async countIn(em: EntityManager, ownerId: number, user: Admission['user']): Promise<boolean> {
    const row = await query<Tables>(em)
      .insertInto('audience')
      .values({ owner_id: ownerId, email_key: user.email, user_id: user.id, zones: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['owner_id', 'email_key'])
          .doUpdateSet({ zones: sql<number>`audience.zones + 1`, user_id: user.id }),
      )
      .returning(sql<number>`zones + pending`.as('counted'))
      .executeTakeFirstOrThrow();
    return Number(row.counted) === 1;
  }

  private async countOut(em: EntityManager, zone: Admission['zone'], email: string): Promise<void> {
    const row = await query<Tables>(em)
      .updateTable('audience')
      .set({ zones: sql<number>`zones - 1` })
      .where('owner_id', '=', zone.ownerId)
      .where('email_key', '=', email)
      .returning(sql<number>`zones + pending`.as('left'))
      .executeTakeFirstOrThrow();
    await query<Tables>(em)
      .updateTable('zone_stats')
      .set({ members: sql<number>`members - 1` })
      .where('zone_id', '=', zone.id)
      .execute();
    if (Number(row.left) > 0) return;
    await query<Tables>(em)
      .deleteFrom('audience')
      .where('owner_id', '=', zone.ownerId)
      .where('email_key', '=', email)
      .execute();
    await this.usage.give(em, zone.ownerId, 'people', 1);
  }
}
