import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { RecipientService } from '../audience/recipient.service.js';
import { notifyCampaignStopped } from '../campaigns.jobs.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { CampaignStateRepository } from './campaign-state.repository.js';
import { detectDeliveryProblem } from './delivery.policy.js';

/** Pauses and finishes campaigns as the results of their deliveries require. Every method is idempotent. */
@Injectable()
export class CampaignStateService {
  constructor(
    private readonly em: EntityManager,
    private readonly states: CampaignStateRepository,
    private readonly recipients: RecipientService,
    private readonly emailQuota: EmailQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Pauses a campaign that mail servers reject because of the sender, or because too many mailboxes don't exist, and
   * notifies its owner. Does nothing for any other campaign.
   */
  pauseRejected(campaignId: number): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const results = await this.states.lockFailureWindow(em, campaignId);
      const failure = results && detectDeliveryProblem(results);
      if (!failure) return;
      await this.states.pauseRejected(em, campaignId, failure);
      await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
    });
  }

  /**
   * Finishes a campaign that has nothing left to send; otherwise does nothing. A campaign that was delivered to no one
   * is not marked as sent. If it was rejected, the owner is notified, unless the campaign was already paused, which sent
   * a notification.
   */
  finish(campaignId: number): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const statusBefore = await this.states.lockStatus(em, campaignId);
      const ended = await this.states.finishComplete(em, campaignId);
      if (!ended) return;
      if (ended.failure === 'ALL_REFUSED' && statusBefore === 'sending')
        await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
      await this.recipients.suppressFailingAddresses(em, { campaignId, ownerId: ended.ownerId });
      await this.emailQuota.refundUnsent(em, campaignId);
    });
  }

  /** Pauses campaigns whose automatic pause was interrupted. */
  async pauseAllRejected(): Promise<void> {
    const rejected = await this.states.findRejected();
    await forEachIsolated(
      rejected.filter((campaign) => detectDeliveryProblem(campaign)),
      ({ id }) => this.pauseRejected(id),
    );
  }

  /** Finishes and refunds campaigns that were interrupted between the last email and finishing. */
  async sweep(): Promise<void> {
    const unsettled = await this.states.findUnsettled();
    await forEachIsolated(unsettled, ({ id, isDone }) =>
      isDone ? this.finish(id) : inTransaction(this.em.fork(), (em) => this.emailQuota.refundUnsent(em, id)),
    );
  }
}
