import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { SuppressionService } from '../zones/suppression.service.js';
import { ZoneMemberSchema } from '../zones/entities/zone-member.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import type { TargetAudience } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';
import { isInAudience, isMember, isReachable, wantsMails } from './recipients.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema | typeof UserSchema | typeof DeliverySchema;

/** How many a campaign would reach, and who is left out and why. */
export interface RecipientCount {
  /** Members of the zone, whatever the audience. */
  readonly totalMembers: number;
  /** Members in the audience chosen. */
  readonly audienceMembers: number;
  /** Of these: how many will get the mail. */
  readonly recipientCount: number;
  /** Of these: have not agreed to mails. */
  readonly withoutConsent: number;
  /** Of these: their address failed too often or complained, or the account does not work. */
  readonly unreachable: number;
}

/** Addresses whose digests are made before other work gets its turn. */
const CHUNK = 2000;

/** Who gets a campaign. */
@Injectable()
export class RecipientService {
  constructor(
    private readonly clock: Clock,
    private readonly suppressions: SuppressionService,
  ) {}

  /** Counts without changing anything. */
  async count(em: EntityManager, zone: ZoneRef, audience: TargetAudience): Promise<RecipientCount> {
    const now = this.clock.now();
    const suppressed = await this.suppressedMembers(em, zone);
    const open = sql<boolean>`(${isReachable} and m.user_id <> all(${suppressed}::bigint[]))`;
    const inAudience = isInAudience(audience, now);
    const row = await this.members(em, zone.id, now)
      .select(sql<number>`count(*)::int`.as('totalMembers'))
      .select(sql<number>`count(*) filter (where ${inAudience})::int`.as('audienceMembers'))
      .select(
        sql<number>`count(*) filter (where ${inAudience} and ${open} and ${wantsMails})::int`.as('recipientCount'),
      )
      .select(
        sql<number>`count(*) filter (where ${inAudience} and ${open} and not ${wantsMails})::int`.as('withoutConsent'),
      )
      .select(sql<number>`count(*) filter (where ${inAudience} and not ${open})::int`.as('unreachable'))
      .executeTakeFirstOrThrow();
    return row;
  }

  /**
   * Fixes the recipients of a campaign: one delivery each, in the caller's transaction, by one statement.
   * @param suppressed what `suppressedMembers` gave a moment before; whoever came since is skipped at their turn
   * @returns how many there are
   */
  async fix(
    em: EntityManager,
    campaign: { id: number; zoneId: number; targetAudience: TargetAudience },
    suppressed: number[],
  ): Promise<number> {
    const now = this.clock.now();
    const result = await sql`
      insert into deliveries (campaign_id, user_id, run_at)
      select ${campaign.id}::bigint, m.user_id, ${now}::timestamptz
      from zone_members m join users u on u.id = m.user_id join zones z on z.id = m.zone_id
      where m.zone_id = ${campaign.zoneId} and ${isMember(now)} and ${isInAudience(campaign.targetAudience, now)}
        and ${isReachable} and ${wantsMails} and m.user_id <> all(${suppressed}::bigint[])
      order by m.id
      on conflict (campaign_id, user_id) do nothing`.execute(query<Tables>(em));
    return Number(result.numAffectedRows ?? 0n);
  }

  /** Ids of the members whose addresses get no mail of the owner. The list holds digests, so each address is digested. */
  async suppressedMembers(em: EntityManager, zone: ZoneRef): Promise<number[]> {
    const digests = await this.suppressions.digests(em, zone.ownerId);
    if (digests.size === 0) return [];
    const found: number[] = [];
    for (let last = 0; ;) {
      const rows = await query<Tables>(em)
        .selectFrom('zone_members')
        .select(['id', 'user_id', 'email'])
        .where('zone_id', '=', zone.id)
        .where('id', '>', last)
        .orderBy('id')
        .limit(CHUNK)
        .execute();
      for (const row of rows) if (digests.has(this.suppressions.digest(row.email))) found.push(row.user_id);
      if (rows.length < CHUNK) return found;
      last = rows.at(-1)!.id;
      await setImmediate();
    }
  }

  private members(em: EntityManager, zoneId: number, now: Date) {
    return query<Tables>(em)
      .selectFrom('zone_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .where('m.zone_id', '=', zoneId)
      .where(isMember(now));
  }
}

export interface ZoneRef {
  readonly id: number;
  readonly ownerId: number;
}
