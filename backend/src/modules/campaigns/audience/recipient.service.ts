import { setImmediate } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock, addMilliseconds, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { LIST_LIMIT } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { TargetAudience } from '../entities/campaign.entity.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { SuppressedMemberDto } from '../dto/report.dto.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

/**
 * Conditions that determine the recipients of a zone's emails, with the aliases `m` (zone_members), `u` (users) and `z`
 * (zones). The same conditions are used for counting recipients, for creating deliveries, and again when each delivery
 * is claimed.
 */

/** Members who joined within this time count as recent. */
const RECENT_MEMBER_AGE = 30 * DAY;

/** The person is currently a member. */
export const isActiveMember = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(m.role <> 'owner' and (m.expires_at is null or m.expires_at > ${now}))`;

/** The member belongs to the chosen audience. */
export function isInAudience(audience: TargetAudience, now: Date): RawBuilder<boolean> {
  const border = addMilliseconds(now, -RECENT_MEMBER_AGE);
  if (audience === 'recent') return sql<boolean>`m.created_at >= ${border}`;
  return audience === 'older' ? sql<boolean>`m.created_at < ${border}` : sql<boolean>`true`;
}

/** The account can receive emails: it is neither deactivated nor erased. */
export const isReachable = sql<boolean>`(u.deactivated_at is null and u.erased_at is null)`;

/** The member consented, or joined by a purchase in a zone that does not require consent; and has not unsubscribed. */
export const hasEmailConsent = sql<boolean>`(
  (exists (select from email_consents c where c.zone_id = m.zone_id and c.user_id = m.user_id)
    or (m.join_method = 'purchase' and not z.requires_email_optin))
  and not exists (select from email_unsubscribes n where n.zone_id = m.zone_id and n.user_id = m.user_id))`;

type Tables =
  typeof SuppressionSchema | typeof ZoneMemberSchema | typeof ZoneSchema | typeof UserSchema | typeof DeliverySchema;

/** Number of addresses digested before yielding to other work of the process. */
const DIGEST_BATCH_SIZE = 2000;

/** Determines the recipients of campaigns. Lists and lifts suppressions of an owner's members. */
@Injectable()
export class RecipientService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /** Counts the recipients of a campaign and who is left out for what reason. */
  async countRecipients(em: EntityManager, zone: ZoneRef, audience: TargetAudience) {
    const now = this.clock.now();
    const suppressed = await this.findSuppressedMemberIds(em, zone);
    const open = sql<boolean>`(${isReachable} and m.user_id <> all(${suppressed}::bigint[]))`;
    const inAudience = isInAudience(audience, now);
    return this.selectMembers(em, zone.id, now)
      .select(sql<number>`count(*)::int`.as('totalMembers'))
      .select(sql<number>`count(*) filter (where ${inAudience})::int`.as('audienceMembers'))
      .select(
        sql<number>`count(*) filter (where ${inAudience} and ${open} and ${hasEmailConsent})::int`.as('recipientCount'),
      )
      .select(
        sql<number>`count(*) filter (where ${inAudience} and ${open} and not ${hasEmailConsent})::int`.as(
          'withoutConsent',
        ),
      )
      .select(sql<number>`count(*) filter (where ${inAudience} and not ${open})::int`.as('unreachable'))
      .executeTakeFirstOrThrow();
  }

  /**
   * Creates one delivery per recipient of a campaign in the caller's transaction, with a single statement. It locks the
   * user rows like the foreign key check would, so that a person who is erased concurrently is left out rather than
   * causing a foreign key violation. A deleted zone has no recipients.
   * @param suppressed result of a recent `findSuppressedMemberIds`; newer suppressions are skipped when the delivery is
   * claimed
   * @returns the number of deliveries
   */
  createDeliveries(
    em: EntityManager,
    campaign: { id: number; zoneId: number; targetAudience: TargetAudience },
    suppressed: number[],
  ): Promise<number> {
    const isTargeted = isInAudience(campaign.targetAudience, this.clock.now());
    return this.insertDeliveries(em, campaign, sql`${isTargeted} and m.user_id <> all(${suppressed}::bigint[])`);
  }

  /**
   * Adds deliveries for some members in the same way, each only once.
   * @returns the number of added deliveries
   */
  addDeliveries(
    em: EntityManager,
    campaign: { id: number; zoneId: number },
    userIds: readonly number[],
  ): Promise<number> {
    return this.insertDeliveries(em, campaign, sql`m.user_id = any(${[...userIds]}::bigint[])`);
  }

  /**
   * Returns the ids of members whose addresses are suppressed for the owner. The list contains only digests, so every
   * address must be digested.
   */
  async findSuppressedMemberIds(em: EntityManager, zone: ZoneRef): Promise<number[]> {
    const isSuppressed = await this.suppressions.createSuppressionCheck(em, zone.ownerId);
    if (!isSuppressed) return [];
    const found: number[] = [];
    for (let last = 0; ;) {
      const rows = await query<Tables>(em)
        .selectFrom('zone_members')
        .select(['id', 'user_id', 'email'])
        .where('zone_id', '=', zone.id)
        .where('id', '>', last)
        .orderBy('id')
        .limit(DIGEST_BATCH_SIZE)
        .execute();
      for (const row of rows) if (isSuppressed(row.email)) found.push(row.user_id);
      if (rows.length < DIGEST_BATCH_SIZE) return found;
      last = rows.at(-1)!.id;
      await setImmediate();
    }
  }

  /**
   * Returns those of the members whose addresses are not suppressed. The cost does not depend on the size of the zone.
   */
  async excludeSuppressed(em: EntityManager, zone: ZoneRef, userIds: readonly number[]): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('zone_members')
      .select(['user_id as userId', 'email'])
      .where('zone_id', '=', zone.id)
      .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
      .execute();
    const emails = rows.map(({ email }) => email);
    const suppressed = await this.suppressions.findSuppressed(em, zone.ownerId, emails);
    return rows.filter(({ email }) => !suppressed.has(email)).map(({ userId }) => userId);
  }

  /** Lists members who are suppressed for the owner, by address; at most 1,000. */
  async listSuppressedMembers(zone: ZoneRef): Promise<SuppressedMemberDto[]> {
    const ids = await this.findSuppressedMemberIds(this.em, zone);
    if (ids.length === 0) return [];
    const members = await query<Tables>(this.em)
      .selectFrom('zone_members')
      .select(['user_id as userId', 'email'])
      .where('zone_id', '=', zone.id)
      .where('user_id', 'in', ids.slice(0, LIST_LIMIT))
      .orderBy('email')
      .execute();
    const byDigest = new Map(
      members.flatMap((member) => this.suppressions.digestsOf(member.email).map((digest) => [digest, member] as const)),
    );
    const rows = await query<Tables>(this.em)
      .selectFrom('suppressions')
      .select(['digest', 'reason', 'created_at as since', sql<boolean>`owner_id is not null`.as('isOwn')])
      .where('digest', 'in', [...byDigest.keys()])
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, zone.ownerId])
      .execute();
    return rows.map(({ digest, reason, since, isOwn }) => ({
      ...byDigest.get(digest)!,
      reason,
      since,
      canLift: isOwn && reason === 'failed',
    }));
  }

  /**
   * Lifts suppressions of many members: those given, or all whose reason is repeated failure.
   * @returns the number of lifted suppressions
   */
  async liftSuppressions(zone: ZoneRef, userIds: readonly number[] | null): Promise<number> {
    const ids = userIds ?? (await this.findSuppressedMemberIds(this.em, zone));
    const members = await query<Tables>(this.em)
      .selectFrom('zone_members')
      .select('email')
      .where('zone_id', '=', zone.id)
      .where(sql<boolean>`user_id = any(${[...ids]}::bigint[])`)
      .execute();
    return this.suppressions.liftSuppressions(
      this.em,
      zone.ownerId,
      members.map(({ email }) => email),
    );
  }

  /** @throws SUPPRESSION_NOT_FOUND also for complaints, which can't be lifted */
  async liftSuppression(zone: ZoneRef, userId: number): Promise<void> {
    const member = await query<Tables>(this.em)
      .selectFrom('zone_members')
      .select('email')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!member || !(await this.suppressions.liftSuppression(this.em, zone.ownerId, member.email))) {
      throw campaignErrors.SUPPRESSION_NOT_FOUND();
    }
  }

  private async insertDeliveries(
    em: EntityManager,
    campaign: { id: number; zoneId: number },
    recipientFilter: RawBuilder<unknown>,
  ) {
    const result = await sql`
      insert into deliveries (campaign_id, user_id, run_at)
      select ${campaign.id}::bigint, m.user_id, ${this.clock.databaseNow()}
      from zone_members m join users u on u.id = m.user_id join zones z on z.id = m.zone_id
      where m.zone_id = ${campaign.zoneId} and z.deleted_at is null
        and ${isActiveMember(this.clock.now())} and ${isReachable} and ${hasEmailConsent} and ${recipientFilter}
      order by m.id for key share of u
      on conflict (campaign_id, user_id) do nothing`.execute(query<Tables>(em));
    return Number(result.numAffectedRows ?? 0n);
  }

  private selectMembers(em: EntityManager, zoneId: number, now: Date) {
    return query<Tables>(em)
      .selectFrom('zone_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .where('m.zone_id', '=', zoneId)
      .where(isActiveMember(now));
  }
}

export interface ZoneRef {
  readonly id: number;
  readonly ownerId: number;
}
