import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import type { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { TargetAudience } from '../entities/campaign.entity.js';
import { hasEmailConsentSql, isActiveMemberSql, isInAudienceSql, isReachableSql } from './recipient.sql.js';

type Tables = typeof SuppressionSchema | typeof ZoneMemberSchema | typeof ZoneSchema | typeof UserSchema;

export interface MemberAddress {
  readonly userId: number;
  readonly email: string;
}

/** Reads the zones module's members and suppressions, to determine the recipients of emails. */
@Injectable()
export class RecipientRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the recipients in an audience and who is left out for what reason.
   * @param suppressed members whose address is suppressed
   */
  countRecipients(em: EntityManager, zoneId: number, audience: TargetAudience, suppressed: readonly number[]) {
    const now = this.clock.now();
    const open = sql<boolean>`(${isReachableSql} and m.user_id <> all(${[...suppressed]}::bigint[]))`;
    const inAudience = isInAudienceSql(audience, now);
    return query<Tables>(em)
      .selectFrom('zone_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .where('m.zone_id', '=', zoneId)
      .where(isActiveMemberSql(now))
      .select(sql<number>`count(*)::int`.as('totalMembers'))
      .select(sql<number>`count(*) filter (where ${inAudience})::int`.as('audienceMembers'))
      .select(
        sql<number>`count(*) filter (where ${inAudience} and ${open} and ${hasEmailConsentSql})::int`.as(
          'recipientCount',
        ),
      )
      .select(
        sql<number>`count(*) filter (where ${inAudience} and ${open} and not ${hasEmailConsentSql})::int`.as(
          'withoutConsent',
        ),
      )
      .select(sql<number>`count(*) filter (where ${inAudience} and not ${open})::int`.as('unreachable'))
      .executeTakeFirstOrThrow();
  }

  /**
   * Returns the addresses of all members of a zone in batches, by ascending id.
   * @param after id of the last membership of the previous batch
   */
  findAddressesAfter(
    em: EntityManager,
    zoneId: number,
    after: number,
    limit: number,
  ): Promise<({ id: number } & MemberAddress)[]> {
    return query<Tables>(em)
      .selectFrom('zone_members')
      .select(['id', 'user_id as userId', 'email'])
      .where('zone_id', '=', zoneId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Returns the addresses of those of the users who are members of the zone. */
  findAddresses(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<MemberAddress[]> {
    return query<Tables>(em)
      .selectFrom('zone_members')
      .select(['user_id as userId', 'email'])
      .where('zone_id', '=', zoneId)
      .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
      .execute();
  }

  /** The same by address, for a list. */
  findSortedAddresses(zoneId: number, userIds: readonly number[]): Promise<MemberAddress[]> {
    return query<Tables>(this.em)
      .selectFrom('zone_members')
      .select(['user_id as userId', 'email'])
      .where('zone_id', '=', zoneId)
      .where('user_id', 'in', [...userIds])
      .orderBy('email')
      .execute();
  }

  /** Returns the address of a member. */
  async findAddress(zoneId: number, userId: number): Promise<string | null> {
    const member = await query<Tables>(this.em)
      .selectFrom('zone_members')
      .select('email')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return member?.email ?? null;
  }
}
