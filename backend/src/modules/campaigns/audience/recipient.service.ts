import { setImmediate } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock, addMilliseconds, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { LIST_LIMIT } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionSchema } from '../../zones/entities/suppression.entity.js';
import { SuppressionService } from '../../zones/leaving/suppression.service.js';
import { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { TargetAudience } from '../entities/campaign.entity.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { SuppressedMemberDto } from '../dto/report.dto.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

/**
 * Who gets the mails of a zone, as conditions on `m` (zone_members), `u` (users), `z` (zones): the same when recipients
 * are counted, when they are fixed, and once more when the turn of each has come.
 */

/** Members within this time count as recent. */
const RECENT_MEMBER_AGE = 30 * DAY;

/** Counts as a member at this moment. */
export const isActiveMember = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(m.role <> 'owner' and (m.expires_at is null or m.expires_at > ${now}))`;

/** Belongs to the audience chosen. */
export function isInAudience(audience: TargetAudience, now: Date): RawBuilder<boolean> {
  const border = addMilliseconds(now, -RECENT_MEMBER_AGE);
  if (audience === 'recent') return sql<boolean>`m.created_at >= ${border}`;
  return audience === 'older' ? sql<boolean>`m.created_at < ${border}` : sql<boolean>`true`;
}

/** Can be written to at all: the account works. */
export const isReachable = sql<boolean>`(u.deactivated_at is null and u.erased_at is null)`;

/** Wants the mails: agreed to them, or came by a purchase into a zone that does not ask for it; and did not end them. */
export const hasEmailConsent = sql<boolean>`(
  (exists (select from email_consents c where c.zone_id = m.zone_id and c.user_id = m.user_id)
    or (m.join_method = 'purchase' and not z.requires_email_optin))
  and not exists (select from email_unsubscribes n where n.zone_id = m.zone_id and n.user_id = m.user_id))`;

type Tables =
  typeof SuppressionSchema | typeof ZoneMemberSchema | typeof ZoneSchema | typeof UserSchema | typeof DeliverySchema;

/** Addresses whose digests are made before other work gets its turn. */
const DIGEST_BATCH_SIZE = 2000;

/** Who gets a campaign, and whom an owner's mails do not reach any more, with the way back for those who only failed. */
@Injectable()
export class RecipientService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly suppressions: SuppressionService,
  ) {}

  /** How many a campaign would reach, and who is left out and why; changes nothing. */
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
   * Fixes the recipients of a campaign: one delivery each, in the caller's transaction, by one statement. The rows of the
   * people are locked as the foreign key would: whoever is erased meanwhile is left out, where the key would fail. A zone
   * that is deleted has none.
   * @param suppressed what `suppressedMembers` gave a moment before; whoever came since is skipped at their turn
   * @returns how many there are
   */
  createDeliveries(
    em: EntityManager,
    campaign: { id: number; zoneId: number; targetAudience: TargetAudience },
    suppressed: number[],
  ): Promise<number> {
    const isMeant = isInAudience(campaign.targetAudience, this.clock.now());
    return this.insertDeliveries(em, campaign, sql`${isMeant} and m.user_id <> all(${suppressed}::bigint[])`);
  }

  /** Adds some members to the recipients of a campaign in the same way, each once. @returns how many were added */
  addDeliveries(
    em: EntityManager,
    campaign: { id: number; zoneId: number },
    userIds: readonly number[],
  ): Promise<number> {
    return this.insertDeliveries(em, campaign, sql`m.user_id = any(${[...userIds]}::bigint[])`);
  }

  /** Ids of the members whose addresses get no mail of the owner. The list holds digests, so each address is digested. */
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

  /** Those of some members whose addresses get mails of the owner; costs the same however many the zone has. */
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

  /** Members whom the owner's mails do not reach any more, by address; the first 1,000. */
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
   * Writes again to many: those named, or all whose address only failed.
   * @returns how many were lifted
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

  /** @throws SUPPRESSION_NOT_FOUND also for a complaint, which cannot be lifted */
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
