import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { PlanService } from '../../plans/plan.service.js';
import { NonMemberEmailCountRepository, type CounterKey } from './non-member-email-count.repository.js';
import { notifyJoinEmailsDelayed } from '../zones.jobs.js';

/**
 * Maximum emails per day from one owner to one address: invitations (including repeated ones and those sent again after
 * a revocation) and join emails together.
 */
export const MAX_EMAILS_PER_ADDRESS = 3;
/** Share of the owner's daily quota that visitors of one zone's links may use, so that the owner can still invite. */
const ZONE_SHARE = 0.5;

/** The owner's usage today. `allowed` is null if unlimited. */
export interface DailyEmailUsage {
  readonly used: number;
  readonly allowed: number | null;
}

/** `sent`, or the reason: the address has reached its daily limit, or the owner's daily quota is exhausted. */
export type JoinEmailResult = 'sent' | 'enoughToAddress' | 'later';

/**
 * Limits emails to people who are not members yet, in the caller's transaction. Concurrent requests can't exceed a limit.
 * Revoking an invitation does not refund its email.
 */
@Injectable()
export class NonMemberEmailQuotaService {
  private readonly key: DerivedKey;

  constructor(
    private readonly counts: NonMemberEmailCountRepository,
    config: AppConfig,
    private readonly plans: PlanService,
    private readonly jobs: JobsService,
  ) {
    this.key = config.keys.forPurpose('stranger-mail');
  }

  /**
   * Counts one email to each address.
   * @param emails without duplicates
   * @returns the addresses that may be emailed
   */
  async reserveForAddresses(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const byKey = new Map(emails.map((email) => [this.addressKey(email), email]));
    const counted = await this.counts.incrementAddresses(em, ownerId, [...byKey.keys()], MAX_EMAILS_PER_ADDRESS);
    return new Set(counted.map((key) => byKey.get(key)!));
  }

  /**
   * Counts as many of `amount` emails as the owner's daily quota allows.
   * @returns the number granted, from 0 to `amount`
   */
  async reserveUpTo(em: EntityManager, ownerId: number, amount: number): Promise<number> {
    if (amount <= 0) return 0;
    const { allowed } = await this.getDailyUsage(em, ownerId);
    return this.counts.addUpTo(em, { ownerId, scope: 'owner', subject: '' }, amount, allowed);
  }

  /** Refunds emails that were counted in the same transaction but will not be sent. */
  async refund(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    if (emails.length === 0) return;
    await this.counts.subtractAddresses(
      em,
      ownerId,
      emails.map((email) => this.addressKey(email)),
    );
  }

  /**
   * Counts the email to a visitor who requests to join. If the daily quota is exhausted, the owner is notified once a day.
   */
  async reserveJoinEmail(
    em: EntityManager,
    zone: { id: number; ownerId: number },
    email: string,
  ): Promise<JoinEmailResult> {
    const { id, ownerId } = zone;
    if ((await this.reserveForAddresses(em, ownerId, [email])).size === 0) return 'enoughToAddress';
    const { allowed } = await this.getDailyUsage(em, ownerId);
    const ofZone: CounterKey = { ownerId, scope: 'zone', subject: String(id) };
    const zoneLimit = allowed === null ? null : Math.ceil(allowed * ZONE_SHARE);
    const fitsZone = (await this.counts.addUpTo(em, ofZone, 1, zoneLimit)) === 1;
    if (fitsZone && (await this.reserveUpTo(em, ownerId, 1)) === 1) return 'sent';
    if (fitsZone) await this.counts.decrement(em, ofZone);
    await this.counts.decrement(em, { ownerId, scope: 'address', subject: this.addressKey(email) });
    if (await this.counts.recordNotice(em, ownerId)) await this.jobs.enqueue(em, notifyJoinEmailsDelayed, { ownerId });
    return 'later';
  }

  /** Returns the owner's usage and limit for today. */
  async getDailyUsage(em: EntityManager, ownerId: number): Promise<DailyEmailUsage> {
    const { limits } = await this.plans.getOwnerPlanIn(em, ownerId);
    return { used: await this.counts.countSent(em, ownerId), allowed: limits.invites };
  }

  private addressKey(email: string): string {
    return this.key.digest(email);
  }
}
