import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { InvitationRepository } from './invitation.repository.js';

/** Releases the plan quota of invitations that end. Locks are taken in the order described in docs/rules.md. */
@Injectable()
export class InvitationQuotaService {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly audience: AudienceRepository,
    private readonly usage: UsageService,
  ) {}

  /** Releases plan quota. Must be called last in a transaction. */
  async releasePeopleQuota(em: EntityManager, ownerId: number, people: number): Promise<void> {
    if (people > 0) await this.usage.releaseUsage(em, ownerId, 'people', people);
  }

  /**
   * Decrements the open invitations of each address (twice for an address listed twice), and releases the quota of
   * people who left the audience by that. Must be called last in a transaction.
   */
  async releaseInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    const people = await this.audience.decrementPendingInvitations(em, ownerId, emails);
    await this.releasePeopleQuota(em, ownerId, people);
  }

  /**
   * Deletes the invitations to a deleted account's address, each in its own transaction.
   * @param before later invitations are for the new owner of the address
   */
  async deleteInvitationsTo(em: EntityManager, email: string, before: Date, signal: AbortSignal): Promise<void> {
    for (const { id, ownerId } of await this.invitations.findInvitationsTo(em, email, before)) {
      signal.throwIfAborted();
      await inTransaction(em, async (em) => {
        if (!(await this.invitations.deleteInvitationById(em, id))) return;
        await this.releaseInvitations(em, ownerId, [email]);
      });
    }
  }
}
