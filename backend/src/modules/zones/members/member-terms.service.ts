import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { ActivityService } from '../../activity/activity.service.js';
import type { UpdateMemberDto } from '../dto/member.dto.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { MembershipService } from '../joining/membership.service.js';
import { MembershipRestrictionService } from '../restrictions/membership-restriction.service.js';
import { zoneErrors } from '../zones.errors.js';
import { expireMembers } from '../zones.jobs.js';
import { AudienceService } from './audience.service.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema;

/** How long an expired membership is kept, so that it can be seen and extended. */
const EXPIRED_RETENTION = 30 * DAY;
/** Rows per transaction. */
const BATCH_SIZE = 500;
/** Latest allowed year of a membership's end. */
const MAX_YEAR = 9999;

/** Manages the role and expiry of memberships. */
@Injectable()
export class MemberTermsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly membership: MembershipService,
    private readonly membershipRestriction: MembershipRestrictionService,
    private readonly audience: AudienceService,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Changes a member's role or the expiry of the membership. An expired membership that was removed from the counters
   * is counted again.
   * @throws MEMBER_NOT_FOUND; OWNER_STAYS; VALIDATION_FAILED for a date in the past; PLAN_LIMIT
   */
  updateMember(zoneId: number, userId: number, { role, expiresAt }: UpdateMemberDto): Promise<void> {
    const newExpiry = expiresAt === undefined ? undefined : this.parseExpiry(expiresAt);
    return inTransaction(this.em, async (em) => {
      const zone = await this.membership.lockZone(em, zoneId);
      if (zone?.ownerId === userId) throw zoneErrors.OWNER_STAYS();
      // Deletes a request that the person made after the membership expired.
      if (newExpiry !== undefined) await this.membershipRestriction.deleteJoinRequests(em, zoneId, [userId]);
      const row = zone && (await this.lockMember(em, zoneId, userId));
      if (!zone || !row) throw zoneErrors.MEMBER_NOT_FOUND();
      const isCountedAgain = !row.isCounted && newExpiry !== undefined;
      await query<Tables>(em)
        .updateTable('zone_members')
        .set({
          ...(role === undefined ? {} : { role }),
          ...(newExpiry === undefined ? {} : { expires_at: newExpiry }),
          is_counted: row.isCounted || isCountedAgain,
        })
        .where('id', '=', row.id)
        .execute();
      if (isCountedAgain) await this.audience.addPeople(em, zone, [{ id: userId, email: row.email }]);
    });
  }

  /**
   * Removes expired memberships from the counters, which releases their quota, and deletes rows that expired 30 days
   * ago. Access itself ends at the moment of expiry. Safe for concurrent workers.
   */
  async expireMemberships(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const drain = async (step: () => Promise<number>) => {
      for (let full = true; full && !signal.aborted;) full = (await step()) === BATCH_SIZE;
    };
    const steps = (await this.findZonesWithExpired(now)).map((zoneId) => () => this.expireInZone(zoneId, now));
    await forEachIsolated([...steps, () => this.deleteLongExpired(addMilliseconds(now, -EXPIRED_RETENTION))], drain);
  }

  @OnJob(expireMembers)
  expireAll(_payload: object, { signal }: JobContext): Promise<void> {
    return this.expireMemberships(signal);
  }

  private expireInZone(zoneId: number, now: Date): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.membership.lockZone(em, zoneId);
      if (!zone) return 0;
      const rows = await query<Tables>(em)
        .selectFrom('zone_members')
        .select(['id', 'user_id as userId', 'email'])
        .where('zone_id', '=', zoneId)
        .where('is_counted', '=', true)
        .where('role', '!=', 'owner')
        .where('expires_at', '<=', now)
        .orderBy('user_id')
        .limit(BATCH_SIZE)
        .forUpdate()
        .skipLocked()
        .execute();
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await query<Tables>(em).updateTable('zone_members').set({ is_counted: false }).where('id', 'in', ids).execute();
      const entries = rows.map(({ userId }) => ({
        type: 'member.expired' as const,
        ownerId: zone.ownerId,
        zoneId,
        userId,
        params: { zoneName: zone.name },
      }));
      await this.activity.record(em, ...entries);
      const emails = rows.map(({ email }) => email);
      await this.audience.removePeople(em, zone, emails);
      return rows.length;
    });
  }

  private async findZonesWithExpired(now: Date): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .select('m.zone_id as zoneId')
      .distinct()
      .where('m.expires_at', '<=', now)
      .where('m.is_counted', '=', true)
      .where('m.role', '!=', 'owner')
      .where('z.deleted_at', 'is', null)
      .orderBy('m.zone_id')
      .execute();
    return rows.map(({ zoneId }) => zoneId);
  }

  private async deleteLongExpired(before: Date): Promise<number> {
    const { rows } = await sql`
      delete from zone_members where id in (
        select id from zone_members
        where expires_at <= ${before} and not is_counted and role <> 'owner'
        limit ${BATCH_SIZE} for update skip locked
      ) returning id`.execute(query<Tables>(this.em));
    return rows.length;
  }

  private lockMember(em: EntityManager, zoneId: number, userId: number) {
    return query<Tables>(em)
      .selectFrom('zone_members')
      .select(['id', 'email', 'is_counted as isCounted'])
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('role', '!=', 'owner')
      .forUpdate()
      .executeTakeFirst();
  }

  private parseExpiry(expiresAt: string | null): Date | null {
    if (expiresAt === null) return null;
    const end = new Date(expiresAt);
    if (Number.isNaN(end.getTime()) || end.getUTCFullYear() > MAX_YEAR) {
      throw fieldError('expiresAt', { en: 'Please enter a valid date', tr: 'Lütfen geçerli bir tarih girin' });
    }
    if (end > this.clock.now()) return end;
    throw fieldError('expiresAt', { en: 'Please choose a date in the future', tr: 'Lütfen gelecekte bir tarih seçin' });
  }
}
