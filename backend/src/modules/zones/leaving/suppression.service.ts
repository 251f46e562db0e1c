import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SuppressionRepository } from './suppression.repository.js';

/** Number of an owner's campaigns in which an address must fail permanently before it is suppressed. */
export const SUPPRESSION_THRESHOLD = 3;

/** An address and when emails of an owner's campaigns to it failed because of the recipient, once per campaign. */
export interface FailedAddress {
  readonly email: string;
  readonly failedAt: readonly Date[];
}

/** Decides whose address is suppressed because emails to it fail. */
@Injectable()
export class SuppressionService {
  constructor(private readonly suppressions: SuppressionRepository) {}

  /** Suppresses addresses that have failed often enough since the owner last lifted their suppression. */
  async suppressFailingAddresses(em: EntityManager, ownerId: number, failed: readonly FailedAddress[]): Promise<void> {
    const lifted = await this.suppressions.findLiftDates(
      em,
      ownerId,
      failed.map(({ email }) => email),
    );
    for (const { email, failedAt } of failed) {
      const since = lifted.get(email);
      const counted = failedAt.filter((at) => !since || new Date(at) > since);
      if (counted.length >= SUPPRESSION_THRESHOLD) await this.suppressions.addSuppression(em, ownerId, email, 'failed');
    }
  }
}
