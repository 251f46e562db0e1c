import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../../platform/jobs/running/for-each-isolated.js';
import { expireInvitations, purgeInvitations, notifyUndeliverableInvitations } from '../../zones.jobs.js';
import { InvitationQuotaService } from '../invitation-quota.service.js';
import { InvitationRepository } from '../invitation.repository.js';

const BATCH_SIZE = 500;
/**
 * Used and expired invitations are kept, so that a late click gets an explanation and the owner can send them again.
 */
const RETENTION = 30 * DAY;

/**
 * Ends invitations that have expired or whose email bounced, and releases their quota. Expired ones are already
 * rejected from the moment of expiry.
 */
@Injectable()
export class InvitationExpiryService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly invitations: InvitationRepository,
    private readonly invitationQuota: InvitationQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Releases the quota of expired invitations, owner by owner and in batches; a failure for one owner does not affect
   * others. Concurrent workers release each invitation only once.
   * @param zoneId only this zone
   */
  async expireInvitations(zoneId: number | null = null, signal?: AbortSignal): Promise<void> {
    const expireOfOwner = async (ownerId: number) => {
      for (let expired = BATCH_SIZE; expired === BATCH_SIZE;) {
        signal?.throwIfAborted();
        expired = await inTransaction(this.em.fork(), (em) => this.expireBatch(em, ownerId, zoneId));
      }
    };
    const owners = await this.invitations.findOwnersWithExpired(zoneId);
    await forEachIsolated(owners, expireOfOwner, signal, (ownerId) => ({ ownerId }));
  }

  /**
   * Ends an invitation whose email was permanently rejected: releases its quota, invalidates its link and notifies the
   * inviter. Does nothing if it was used, revoked or sent again in the meantime.
   * @param digest digest of the token in the rejected email
   */
  markUndeliverable(invitationId: number, digest: string): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const ended = await this.invitations.markUndeliverable(em, invitationId, digest);
      if (!ended) return;
      await this.jobs.enqueue(em, notifyUndeliverableInvitations, { inviterId: ended.inviterId });
      if (ended.wasCounted) await this.invitationQuota.releaseInvitations(em, ended.ownerId, [ended.email]);
    });
  }

  /** Deletes invitations that were used or expired 30 days ago. */
  @OnJob(purgeInvitations)
  async purgeOldInvitations(): Promise<void> {
    await this.invitations.deleteOldInvitations(addMilliseconds(this.clock.now(), -RETENTION));
  }

  @OnJob(expireInvitations)
  expireAllInvitations(_: object, { signal }: JobContext): Promise<void> {
    return this.expireInvitations(null, signal);
  }

  private async expireBatch(em: EntityManager, ownerId: number, zoneId: number | null): Promise<number> {
    const emails = await this.invitations.expireInvitations(em, ownerId, zoneId, BATCH_SIZE);
    if (emails.length > 0) await this.invitationQuota.releaseInvitations(em, ownerId, emails);
    return emails.length;
  }
}
