import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { ActivityService } from '../../activity/activity.service.js';
import type { UpdateMemberDto } from '../dto/member.dto.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { JoinRequestRepository } from '../requests/join-request.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { expireMembers } from '../zones.jobs.js';
import { AudienceService } from './audience.service.js';

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
    private readonly memberships: MembershipRepository,
    private readonly zones: ZoneRepository,
    private readonly requests: JoinRequestRepository,
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
      const zone = await this.zones.lockZone(em, zoneId);
      if (zone?.ownerId === userId) throw zoneErrors.OWNER_STAYS();
      // Deletes a request that the person made after the membership expired.
      if (newExpiry !== undefined) await this.requests.deleteRequests(em, zoneId, [userId]);
      const row = zone && (await this.memberships.lockMember(em, zoneId, userId));
      if (!zone || !row) throw zoneErrors.MEMBER_NOT_FOUND();
      const isCountedAgain = !row.isCounted && newExpiry !== undefined;
      const isCounted = row.isCounted || isCountedAgain;
      await this.memberships.updateMembership(em, row.id, { role, expiresAt: newExpiry, isCounted });
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
    const zoneIds = await this.memberships.findZonesWithExpired(now);
    const steps = zoneIds.map((zoneId) => () => this.expireInZone(zoneId, now));
    const keptSince = addMilliseconds(now, -EXPIRED_RETENTION);
    await forEachIsolated([...steps, () => this.memberships.deleteExpired(keptSince, BATCH_SIZE)], drain);
  }

  @OnJob(expireMembers)
  expireAll(_payload: object, { signal }: JobContext): Promise<void> {
    return this.expireMemberships(signal);
  }

  private expireInZone(zoneId: number, now: Date): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const zone = await this.zones.lockZone(em, zoneId);
      if (!zone) return 0;
      const rows = await this.memberships.markExpiredUncounted(em, zoneId, now, BATCH_SIZE);
      if (rows.length === 0) return 0;
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
