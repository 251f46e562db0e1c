import { setImmediate } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { LIST_LIMIT } from '../../../platform/http/lists/list.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { campaignErrors } from '../campaigns.errors.js';
import { DeliveryRepository } from '../engine/delivery.repository.js';
import type { SuppressedMemberDto } from '../dto/report.dto.js';
import type { TargetAudience } from '../entities/campaign.entity.js';
import { RecipientRepository } from './recipient.repository.js';

/** Number of addresses digested before yielding to other work of the process. */
const DIGEST_BATCH_SIZE = 2000;

/** Number of an owner's campaigns in which an address must fail permanently before it is suppressed. */
const SUPPRESSION_THRESHOLD = 3;

/** Determines the recipients of campaigns. Suppresses addresses that fail; lists and lifts suppressions of members. */
@Injectable()
export class RecipientService {
  constructor(
    private readonly em: EntityManager,
    private readonly recipients: RecipientRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /** Counts the recipients of a campaign and who is left out for what reason. */
  async countRecipients(em: EntityManager, zone: ZoneRef, audience: TargetAudience) {
    const suppressed = await this.findSuppressedMemberIds(em, zone);
    return this.recipients.countRecipients(em, zone.id, audience, suppressed);
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
      const members = await this.recipients.findAddressesAfter(em, zone.id, last, DIGEST_BATCH_SIZE);
      for (const { userId, email } of members) if (isSuppressed(email)) found.push(userId);
      if (members.length < DIGEST_BATCH_SIZE) return found;
      last = members.at(-1)!.id;
      await setImmediate();
    }
  }

  /**
   * Returns those of the members whose addresses are not suppressed. The cost does not depend on the size of the zone.
   */
  async excludeSuppressed(em: EntityManager, zone: ZoneRef, userIds: readonly number[]): Promise<number[]> {
    const members = await this.recipients.findAddresses(em, zone.id, userIds);
    const emails = members.map(({ email }) => email);
    const suppressed = await this.suppressions.findSuppressed(em, zone.ownerId, emails);
    return members.filter(({ email }) => !suppressed.has(email)).map(({ userId }) => userId);
  }

  /**
   * Suppresses addresses that failed because of the recipient in this campaign and in enough others of the owner. A
   * delivered email since then, or the owner lifting the suppression, resets the count.
   */
  async suppressFailingAddresses(em: EntityManager, campaign: { campaignId: number; ownerId: number }): Promise<void> {
    const { ownerId } = campaign;
    const failed = await this.deliveries.findRepeatedFailures(em, campaign, SUPPRESSION_THRESHOLD);
    const emails = failed.map(({ email }) => email);
    const lifted = await this.suppressions.findLiftDates(em, ownerId, emails);
    for (const { email, failedAt } of failed) {
      const since = lifted.get(email);
      const counted = failedAt.filter((at) => !since || new Date(at) > since);
      if (counted.length >= SUPPRESSION_THRESHOLD) await this.suppressions.addSuppression(em, ownerId, email, 'failed');
    }
  }

  /** Lists members who are suppressed for the owner, by address; at most 1,000. */
  async listSuppressedMembers(zone: ZoneRef): Promise<SuppressedMemberDto[]> {
    const ids = await this.findSuppressedMemberIds(this.em, zone);
    if (ids.length === 0) return [];
    const members = await this.recipients.findSortedAddresses(zone.id, ids.slice(0, LIST_LIMIT));
    const byDigest = new Map(
      members.flatMap((member) => this.suppressions.digestsOf(member.email).map((digest) => [digest, member] as const)),
    );
    const found = await this.suppressions.findEntries(zone.ownerId, [...byDigest.keys()]);
    return found.map(({ digest, reason, since, isOwn }) => ({
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
    const members = await this.recipients.findAddresses(this.em, zone.id, ids);
    return this.suppressions.liftSuppressions(
      this.em,
      zone.ownerId,
      members.map(({ email }) => email),
    );
  }

  /** @throws SUPPRESSION_NOT_FOUND also for complaints, which can't be lifted */
  async liftSuppression(zone: ZoneRef, userId: number): Promise<void> {
    const email = await this.recipients.findAddress(zone.id, userId);
    if (email === null || !(await this.suppressions.liftSuppression(this.em, zone.ownerId, email))) {
      throw campaignErrors.SUPPRESSION_NOT_FOUND();
    }
  }
}

export interface ZoneRef {
  readonly id: number;
  readonly ownerId: number;
}
