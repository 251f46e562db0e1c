import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { toMonth } from '../../plans/plan.policy.js';
import { SUPPRESSION_THRESHOLD, SuppressionService } from '../../zones/leaving/suppression.service.js';
import { CampaignRepository } from '../campaign.repository.js';
import { wakeCampaignWorkers, notifyCampaignStopped } from '../campaigns.jobs.js';
import type { Campaign } from '../entities/campaign.entity.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { CampaignRendererService } from '../rendering/campaign-renderer.service.js';
import { detectDeliveryProblem } from '../shared/delivery-problem.policy.js';
import { CampaignStateRepository } from './campaign-state.repository.js';
import { DeliveryRepository, type RequeuedCounts } from './delivery.repository.js';

/** Manages the state of campaigns during and after sending. */
@Injectable()
export class CampaignStateService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly campaigns: CampaignRepository,
    private readonly states: CampaignStateRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly emailQuota: EmailQuotaService,
    private readonly suppressions: SuppressionService,
    private readonly jobs: JobsService,
    private readonly renderer: CampaignRendererService,
  ) {}

  /**
   * Starts sending a locked campaign to recipients that were added to it, and charges them to the current month, in the
   * caller's transaction. Must be called last, because it locks the owner's usage.
   * @throws PLAN_LIMIT if the quota does not cover all of them
   */
  async start(em: EntityManager, campaign: Campaign, added: number): Promise<void> {
    const now = this.clock.now();
    const period = toMonth(now);
    const links = await this.renderer.listTrackedLinks(em, campaign.id);
    await this.campaigns.updateCampaign(em, campaign, {
      status: 'sending',
      startedAt: campaign.startedAt ?? now,
      period,
      failure: null,
      recipientCount: campaign.recipientCount + added,
      links: [...links],
    });
    await this.notifyWorkers(em, campaign.id);
    await this.emailQuota.charge(em, { ownerId: campaign.sentById, amount: added, period });
  }

  /**
   * Sends a locked campaign again to recipients whose email failed or was not sent for lack of a mail server, charged
   * to the current month. Must be called last in the transaction too.
   * @throws PLAN_LIMIT
   */
  async restart(em: EntityManager, campaign: Campaign, { failed, kept }: RequeuedCounts): Promise<void> {
    const now = this.clock.now();
    const period = toMonth(now);
    const refundable = await this.states.lockRefundableQuota(em, campaign.id);
    const changes = { sentAt: null, period, failure: null, updatedAt: now };
    await this.campaigns.updateCampaign(em, campaign, { status: 'sending', ...changes });
    // The refundable amount counts as refunded, and the emails tried again as charged.
    const retried = failed + kept;
    const returned = (refundable?.amount ?? 0) - retried;
    const { readerFaultCount } = campaign;
    await this.states.incrementCounts(em, campaign.id, {
      failed: -failed,
      kept: -kept,
      returned,
      reader_fault: -readerFaultCount,
    });
    await this.resumeDelivery(em, campaign.id);
    await this.emailQuota.charge(em, { ownerId: campaign.sentById, amount: retried, period }, refundable);
  }

  /** Lets workers continue a locked campaign; earlier rejections no longer count. */
  async resumeDelivery(em: EntityManager, campaignId: number): Promise<void> {
    await this.states.resetFailureWindow(em, campaignId);
    await this.notifyWorkers(em, campaignId);
  }

  /**
   * Pauses a campaign that mail servers reject because of the sender, or because too many mailboxes don't exist, and
   * notifies its owner. Does nothing for any other campaign. Idempotent.
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

  /** Pauses campaigns whose automatic pause was interrupted. */
  async pauseAllRejected(): Promise<void> {
    const rejected = await this.states.findRejected();
    await forEachIsolated(
      rejected.filter((campaign) => detectDeliveryProblem(campaign)),
      ({ id }) => this.pauseRejected(id),
    );
  }

  /**
   * Finishes a campaign that has nothing left to send; otherwise does nothing. Idempotent. A campaign that was
   * delivered to no one is not marked as sent. If it was rejected, the owner is notified, unless the campaign was
   * already paused, which sent a notification.
   */
  finish(campaignId: number): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const statusBefore = await this.states.lockStatus(em, campaignId);
      const ended = await this.states.finishComplete(em, campaignId);
      if (!ended) return;
      if (ended.failure === 'ALL_REFUSED' && statusBefore === 'sending')
        await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
      await this.suppressFailingAddresses(em, campaignId, ended.ownerId);
      await this.emailQuota.refundUnsent(em, campaignId);
    });
  }

  /** Marks a locked campaign as undelivered if its last delivered email has bounced; does nothing for any other. */
  async markUndelivered(em: EntityManager, campaignId: number): Promise<void> {
    const failure = await this.states.markUndelivered(em, campaignId);
    if (failure === 'ALL_REFUSED') await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
  }

  /** Finishes and refunds campaigns that were interrupted between the last email and finishing. */
  async sweep(): Promise<void> {
    const unsettled = await this.states.findUnsettled();
    await forEachIsolated(unsettled, ({ id, isDone }) =>
      isDone ? this.finish(id) : inTransaction(this.em.fork(), (em) => this.emailQuota.refundUnsent(em, id)),
    );
  }

  /**
   * Suppresses addresses that failed because of the recipient in this campaign and in enough others of the owner. A
   * delivered email since then, or the owner lifting the suppression, resets the count.
   */
  async suppressFailingAddresses(em: EntityManager, campaignId: number, ownerId: number): Promise<void> {
    const failed = await this.deliveries.findRepeatedFailures(em, { campaignId, ownerId }, SUPPRESSION_THRESHOLD);
    await this.suppressions.suppressFailingAddresses(em, ownerId, failed);
  }

  private notifyWorkers(em: EntityManager, campaignId: number): Promise<void> {
    return this.jobs.enqueue(em, wakeCampaignWorkers, { campaignId });
  }
}
