import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { addMilliseconds, Clock, DAY, HOUR } from '../../../platform/clock/clock.js';
import { retryOnLockTimeout, inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { UsageState } from '../../plans/usage.repository.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { InvitationRepository } from './invitation.repository.js';
import { NonMemberEmailQuotaService, type DailyEmailUsage } from '../email-quota/non-member-email-quota.service.js';
import { zoneErrors } from '../zones.errors.js';
import { InvitationExpiryService } from './expiry/invitation-expiry.service.js';
import {
  InvitationValidationService,
  type Invitee,
  type ValidatedInvitee,
} from './sending/invitation-validation.service.js';
import type { InviteOutcome } from '../shared/outcomes.js';
import { sendInvitation } from '../zones.jobs.js';

/** Lifetime of an invitation and of the temporary password in its email. */
export const INVITATION_LIFETIME = 7 * DAY;
/** Maximum invitation emails per hour. Daily limits, also per address, are in `NonMemberEmailQuotaService`. */
export const OWNER_INVITATION_RATE: RateRule = { name: 'invitation', limit: 5000, window: HOUR };
/** Rows per transaction, which holds the owner's usage row until its commit. */
const CHUNK_SIZE = 500;
/** Attempts for a row that conflicts with one being deleted concurrently. */
const MAX_ATTEMPTS = 3;

export interface InvitationZone {
  readonly id: number;
  readonly ownerId: number;
}

export interface InvitationReport {
  /** One result per person, in the given order; `email` is normalised, or as entered if invalid. */
  readonly results: { readonly email: string; readonly outcome: InviteOutcome }[];
  /** Usage of the owner's plan, if some people exceeded its limit. */
  readonly planLimit: UsageState | null;
  /** The owner's emails to non-members today, if some exceeded the daily limit. */
  readonly dailyLimit: DailyEmailUsage | null;
  /** Seconds until more people may be invited, if some exceeded the rate; otherwise 0. */
  readonly retryAfter: number;
}

/** Invites people to a zone by email. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitationValidation: InvitationValidationService,
    private readonly invitations: InvitationRepository,
    private readonly audience: AudienceRepository,
    private readonly zones: ZoneRepository,
    private readonly invitationExpiry: InvitationExpiryService,
    private readonly usage: UsageService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Invites a list of any length in chunks, committed one at a time; jobs send the emails. If the plan's limit is
   * reached, earlier rows take precedence. A problem with one row never fails the whole list.
   * @param inviterId the owner or a zone admin
   * @throws ZONE_NOT_FOUND if the zone is being deleted
   */
  async invitePeople(zone: InvitationZone, inviterId: number, people: readonly Invitee[]): Promise<InvitationReport> {
    const rows = this.invitationValidation.normaliseInvitees(people);
    await this.invitationExpiry.expireInvitations(zone.id);
    let retryAfter = 0;
    for (let start = 0; start < rows.length; start += CHUNK_SIZE) {
      const chunk = rows.slice(start, start + CHUNK_SIZE);
      await this.invitationValidation.markIneligible(this.em, zone, chunk);
      retryAfter = Math.max(retryAfter, await this.enforceHourlyRate(zone.ownerId, chunk));
      await this.inviteChunk(zone, inviterId, chunk);
    }
    return this.createReport(zone.ownerId, rows, retryAfter);
  }

  private async createReport(ownerId: number, rows: ValidatedInvitee[], retryAfter: number): Promise<InvitationReport> {
    const isFull = rows.some(({ outcome }) => outcome === 'PLAN_LIMIT');
    const isOverDay = rows.some(({ outcome }) => outcome === 'DAILY_MAIL_LIMIT');
    return {
      results: rows.map(({ email, outcome }) => ({ email, outcome: outcome! })),
      planLimit: isFull ? await this.usage.getUsage(this.em, ownerId, 'people') : null,
      dailyLimit: isOverDay ? await this.nonMemberEmailQuota.getDailyUsage(this.em, ownerId) : null,
      retryAfter,
    };
  }

  /**
   * Marks rows above the owner's hourly rate.
   * @returns the seconds to wait, or 0
   */
  private async enforceHourlyRate(ownerId: number, chunk: ValidatedInvitee[]): Promise<number> {
    const open = chunk.filter(({ outcome }) => outcome === null);
    const { granted, retryAfter } = await this.limits.consumeUpTo(OWNER_INVITATION_RATE, ownerId, open.length);
    for (const row of open.slice(granted)) row.outcome = 'RATE_LIMIT';
    return granted < open.length ? retryAfter : 0;
  }

  private async inviteChunk(zone: InvitationZone, inviterId: number, chunk: ValidatedInvitee[]): Promise<void> {
    const open = chunk.filter(({ outcome }) => outcome === null);
    if (open.length === 0) return;
    const work = async (em: EntityManager) => {
      // Resets the outcomes of a rolled-back attempt.
      for (const row of open) row.outcome = null;
      if (!(await this.zones.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
      const ids = await this.upsertInvitations(em, zone.id, inviterId, open);
      const written = open.filter(({ email }) => ids.has(email));
      const withinDailyLimit = await this.enforceDailyEmailLimit(em, zone.ownerId, written, ids);
      const overPlanLimit = await this.enforcePlanLimit(em, zone.ownerId, withinDailyLimit, ids);
      await this.jobs.enqueueMany(
        em,
        sendInvitation,
        [...ids.values()].map((invitationId) => ({ invitationId })),
      );
      await this.recordAudit(em, zone, inviterId, ids.size);
      for (const row of open) row.outcome ??= ids.has(row.email) ? 'INVITED' : 'ALREADY_INVITED';
      for (const row of overPlanLimit) row.outcome = 'PLAN_LIMIT';
    };
    await retryOnLockTimeout(() => inTransaction(this.em, work));
  }

  /**
   * Marks rows above today's email limits and deletes their invitations.
   * @returns the remaining rows
   */
  private async enforceDailyEmailLimit(
    em: EntityManager,
    ownerId: number,
    written: ValidatedInvitee[],
    ids: Map<string, number>,
  ): Promise<ValidatedInvitee[]> {
    const addresses = await this.nonMemberEmailQuota.reserveForAddresses(
      em,
      ownerId,
      written.map(({ email }) => email),
    );
    const reachable = written.filter(({ email }) => addresses.has(email));
    const granted = await this.nonMemberEmailQuota.reserveUpTo(em, ownerId, reachable.length);
    const accepted = reachable.slice(0, granted);
    const acceptedEmails = new Set(accepted.map(({ email }) => email));
    const rejected = written.filter(({ email }) => !acceptedEmails.has(email));
    for (const row of rejected) row.outcome = addresses.has(row.email) ? 'DAILY_MAIL_LIMIT' : 'ADDRESS_MAIL_LIMIT';
    await this.deleteRejected(em, rejected, ids);
    return accepted;
  }

  /**
   * Reserves plan quota.
   * @returns the rows that exceeded it; their invitations and emails are reverted
   */
  private async enforcePlanLimit(
    em: EntityManager,
    ownerId: number,
    taken: ValidatedInvitee[],
    ids: Map<string, number>,
  ): Promise<ValidatedInvitee[]> {
    const newAddresses = await this.audience.incrementPendingInvitations(
      em,
      ownerId,
      taken.map(({ email }) => email),
    );
    const newcomers = taken.filter(({ email }) => newAddresses.has(email));
    const granted = await this.usage.addUsageUpTo(em, ownerId, 'people', newcomers.length);
    const over = newcomers.slice(granted);
    const emails = over.map(({ email }) => email);
    await this.deleteRejected(em, over, ids);
    await this.audience.decrementPendingInvitations(em, ownerId, emails);
    await this.nonMemberEmailQuota.refund(em, ownerId, emails);
    return over;
  }

  /**
   * Inserts invitations, overwriting used and expired ones of the same address. New rows are inserted first, in address
   * order. Existing rows are then locked in id order, the order used by all code that ends invitations. A single upsert
   * would lock existing rows in address order.
   * @returns the ids of the written rows by address
   */
  private async upsertInvitations(
    em: EntityManager,
    zoneId: number,
    inviterId: number,
    people: ValidatedInvitee[],
  ): Promise<Map<string, number>> {
    const ids = new Map<string, number>();
    const terms = { zoneId, inviterId, expiresAt: addMilliseconds(this.clock.now(), INVITATION_LIFETIME) };
    let remaining = people;
    for (let attempt = 0; remaining.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
      const written = await this.invitations.insertInvitations(em, terms, remaining);
      const conflicting = remaining.filter(({ email }) => !written.has(email));
      const present = await this.invitations.overwriteInactiveInvitations(em, terms, conflicting);
      for (const [email, id] of [...written, ...present]) if (id !== null) ids.set(email, id);
      // Rows missing now were deleted concurrently.
      remaining = conflicting.filter(({ email }) => !present.has(email));
    }
    return ids;
  }

  /** Deletes, in the same transaction, the rows of people who are not invited after all. */
  private async deleteRejected(
    em: EntityManager,
    refused: ValidatedInvitee[],
    ids: Map<string, number>,
  ): Promise<void> {
    await this.invitations.deleteInvitations(
      em,
      refused.map(({ email }) => ids.get(email)!),
    );
    for (const { email } of refused) ids.delete(email);
  }

  private async recordAudit(em: EntityManager, zone: InvitationZone, actorId: number, count: number): Promise<void> {
    if (count === 0) return;
    await this.audit.record(em, { type: 'zone.people-invited', actorId, params: { zoneId: zone.id, count } });
  }
}
