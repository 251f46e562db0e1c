import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { toMonth } from '../../plans/plan.policy.js';
import { assertAbility, assertUnchanged, campaignAbilities } from '../access/campaign.policy.js';
import { CampaignService } from '../drafts/campaign.service.js';
import { campaignErrors, noRecipientReasons } from '../campaigns.errors.js';
import { wakeCampaignWorkers } from '../campaigns.jobs.js';
import type { CampaignAbilitiesDto, SendEmailDto } from '../dto/campaign.dto.js';
import type { LocalizedText } from '../../../platform/errors/app-error.js';
import { CampaignRepository } from '../campaign.repository.js';
import { CampaignStateRepository } from '../engine/campaign-state.repository.js';
import { DeliveryRepository, type RequeuedCounts } from '../engine/delivery.repository.js';
import type { Campaign, TargetAudience } from '../entities/campaign.entity.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { CampaignRendererService } from '../rendering/campaign-renderer.service.js';
import { RecipientService, type ZoneRef } from '../audience/recipient.service.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';

/** A request for the same email within this time counts as a repeated click, in milliseconds. */
const REPEAT_WINDOW = 60_000;

/** Starts campaigns and controls sending. Every action is a single transaction that locks the campaign. */
@Injectable()
export class CampaignSendingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly zones: ZoneRepository,
    private readonly config: AppConfig,
    private readonly campaigns: CampaignService,
    private readonly campaignRepository: CampaignRepository,
    private readonly states: CampaignStateRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly recipients: RecipientService,
    private readonly renderer: CampaignRendererService,
    private readonly emailQuota: EmailQuotaService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Creates the deliveries of a draft, or of a scheduled campaign that could not start, charges the monthly quota and
   * lets workers send. Of concurrent calls, only one succeeds.
   * @param expectedUpdatedAt the draft's `updatedAt` as the client knows it
   * @throws CAMPAIGN_NOT_DRAFT, NO_MEMBERS, NO_RECIPIENTS; PLAN_LIMIT if the quota does not cover all recipients
   * @throws CAMPAIGN_CHANGED if the draft was modified since; CAMPAIGN_NOT_FOUND if its zone was deleted in the
   * meantime
   */
  async send(id: number, zone: ZoneRef, expectedUpdatedAt?: string): Promise<void> {
    const suppressed = await this.recipients.findSuppressedMemberIds(this.em, zone);
    await this.withAbility(id, 'send', (em, campaign) => {
      assertUnchanged(campaign, expectedUpdatedAt);
      return this.startSending(em, campaign, suppressed);
    });
  }

  /**
   * Creates and sends an email in one call, or only saves it as a draft. A repeated request shortly afterwards returns
   * the same campaign.
   * @throws errors of `CampaignService.create` and `send`
   */
  async sendEmail(zone: ZoneRef, dto: SendEmailDto): Promise<Campaign> {
    if (dto.sendMode === 'draft') return this.campaigns.create(zone, dto);
    const suppressed = await this.recipients.findSuppressedMemberIds(this.em, zone);
    return inTransaction(this.em, async (em) => {
      await this.campaignRepository.lockZone(em, zone.id);
      const [contentDigest, ...older] = this.contentDigests(zone, dto);
      const since = new Date(this.clock.now().getTime() - REPEAT_WINDOW);
      const repeated = await this.campaignRepository.findByDigest(em, zone.id, [contentDigest!, ...older], since);
      if (repeated) return repeated;
      const campaign = await this.campaigns.create(zone, dto, em);
      campaign.contentDigest = contentDigest!;
      await this.startSending(em, campaign, suppressed);
      return campaign;
    });
  }

  /** Moves a locked draft or scheduled campaign to sending, in the caller's transaction. */
  async startSending(em: EntityManager, campaign: Campaign, suppressed: number[]): Promise<void> {
    const count = await this.deliveries.insertDeliveries(em, campaign, suppressed);
    if (count === 0) throw await this.noRecipientsError(em, campaign);
    campaign.updatedAt = this.clock.now();
    await this.sendToAdded(em, campaign, count);
  }

  /**
   * Sends a locked campaign to recipients that were added to it, and charges them to the current month, in the caller's
   * transaction. Must be called last, because it locks the owner's usage.
   * @throws PLAN_LIMIT if the quota does not cover all of them
   */
  async sendToAdded(em: EntityManager, campaign: Campaign, added: number): Promise<void> {
    const now = this.clock.now();
    const period = toMonth(now);
    const links = await this.renderer.listTrackedLinks(em, campaign.id);
    await this.campaignRepository.updateCampaign(em, campaign, {
      status: 'sending',
      startedAt: campaign.startedAt ?? now,
      period,
      failure: null,
      recipientCount: campaign.recipientCount + added,
      links: [...links],
    });
    await this.jobs.enqueue(em, wakeCampaignWorkers, { campaignId: campaign.id });
    await this.emailQuota.charge(em, { ownerId: campaign.sentById, amount: added, period });
  }

  /**
   * Stops claiming deliveries until resumed; emails in progress are still sent.
   * @throws CAMPAIGN_STATE
   */
  pause(id: number): Promise<void> {
    return this.withAbility(id, 'pause', (em, campaign) =>
      this.campaignRepository.updateCampaign(em, campaign, { status: 'paused' }),
    );
  }

  /** @throws CAMPAIGN_STATE */
  resume(id: number): Promise<void> {
    return this.withAbility(id, 'resume', async (em, campaign) => {
      const readersWatched = campaign.readersWatched && campaign.failure !== 'READERS_REFUSED';
      await this.campaignRepository.updateCampaign(em, campaign, { status: 'sending', failure: null, readersWatched });
      await this.resumeDelivery(em, id);
    });
  }

  /**
   * Ends a campaign. Recipients whose email is not in progress get none, and their quota is refunded.
   * @throws CAMPAIGN_STATE
   */
  cancel(id: number): Promise<void> {
    return this.withAbility(id, 'cancel', (em, campaign) => this.end(em, campaign));
  }

  /** Like `cancel`, but does nothing if the campaign has already ended. */
  cancelUnlessEnded(id: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const campaign = await this.campaignRepository.lockCampaign(em, id);
      if (campaign && campaignAbilities(campaign).cancel) await this.end(em, campaign);
    });
  }

  private async end(em: EntityManager, campaign: Campaign): Promise<void> {
    await this.campaignRepository.updateCampaign(em, campaign, { status: 'cancelled', sentAt: this.clock.now() });
    const cancelled = await this.deliveries.cancelQueued(em, campaign.id);
    await this.states.incrementCounts(em, campaign.id, { cancelled });
    await this.emailQuota.refundUnsent(em, campaign.id);
  }

  /**
   * Sends again to recipients whose email failed, or was not sent for lack of a mail server; charged to the current
   * month.
   * @throws NOTHING_FAILED, CAMPAIGN_STATE, PLAN_LIMIT
   */
  retryFailed(id: number): Promise<void> {
    return this.withAbility(id, 'retryFailed', async (em, campaign) =>
      this.restart(em, campaign, await this.deliveries.requeueUnsent(em, id)),
    );
  }

  private async restart(em: EntityManager, campaign: Campaign, { failed, kept }: RequeuedCounts): Promise<void> {
    const now = this.clock.now();
    const period = toMonth(now);
    const refundable = await this.states.lockRefundableQuota(em, campaign.id);
    const changes = { sentAt: null, period, failure: null, updatedAt: now };
    await this.campaignRepository.updateCampaign(em, campaign, { status: 'sending', ...changes });
    // The refundable amount counts as refunded, and the emails tried again as charged.
    const retried = failed + kept;
    const returned = (refundable?.amount ?? 0) - retried;
    await this.states.incrementCounts(em, campaign.id, {
      failed: -failed,
      kept: -kept,
      returned,
      reader_fault: -campaign.readerFaultCount,
    });
    await this.resumeDelivery(em, campaign.id);
    await this.emailQuota.charge(em, { ownerId: campaign.sentById, amount: retried, period }, refundable);
  }

  /** Lets workers continue a locked campaign; earlier rejections no longer count. */
  private async resumeDelivery(em: EntityManager, campaignId: number): Promise<void> {
    await this.states.resetFailureWindow(em, campaignId);
    await this.jobs.enqueue(em, wakeCampaignWorkers, { campaignId });
  }

  /** Locks a campaign on which the owner may act, for work in one transaction. */
  private withAbility(
    id: number,
    ability: keyof CampaignAbilitiesDto,
    work: (em: EntityManager, campaign: Campaign) => Promise<void>,
  ): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const campaign = await this.campaignRepository.lockCampaign(em, id);
      assertAbility(campaign, ability);
      await work(em, campaign);
    });
  }

  private async noRecipientsError(em: EntityManager, campaign: Campaign) {
    const zone = await this.zones.findZoneIn(em, campaign.zoneId);
    if (!zone) return campaignErrors.CAMPAIGN_NOT_FOUND();
    const { targetAudience } = campaign;
    const counts = await this.recipients.countRecipients(em, { id: zone.id, ownerId: zone.ownerId }, targetAudience);
    if (counts.totalMembers === 0) return campaignErrors.NO_MEMBERS();
    return campaignErrors.NO_RECIPIENTS({ reason: noRecipientReason(targetAudience, counts) });
  }

  private contentDigests(zone: ZoneRef, dto: SendEmailDto): string[] {
    const digestFields = [
      dto.subject,
      dto.htmlContent,
      dto.textContent,
      dto.targetAudience ?? dto.recipientType ?? 'all',
    ];
    return this.config.keys.forPurpose('campaign').digests(String(zone.id), JSON.stringify(digestFields));
  }
}

/** Returns why a campaign has no recipients. */
function noRecipientReason(
  audience: TargetAudience,
  counts: { audienceMembers: number; withoutConsent: number; unreachable: number },
): LocalizedText {
  if (counts.audienceMembers === 0 && audience !== 'all') return noRecipientReasons[audience];
  if (counts.unreachable === 0) return noRecipientReasons.withoutConsent;
  return counts.withoutConsent === 0 ? noRecipientReasons.unreachable : noRecipientReasons.withoutConsentOrUnreachable;
}
