import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { keyedDigest } from '../../platform/security/secrets.js';
import { UsageService } from '../plans/usage.service.js';
import { Zone } from '../zones/entities/zone.entity.js';
import { campaignAbilities, type CampaignAbilities } from './campaign.policy.js';
import { assertSeen, CampaignService } from './campaign.service.js';
import { campaignErrors } from './campaigns.errors.js';
import { deliverCampaign } from './deliver-campaign.job.js';
import type { SendEmailDto } from './dto/campaign.dto.js';
import { CampaignCompletion } from './engine/campaign-completion.service.js';
import { Campaign, CampaignSchema } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';
import { monthOf } from '../plans/plan.policy.js';
import { RecipientService, type ZoneRef } from './recipient.service.js';
import { CampaignMails } from './rendering/campaign-mail.service.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema;

/** The same mail sent again within this time is a repeated click, in milliseconds. */
const REPEATED = 60_000;

/** Sending, and what can be done while and after it. Every step is one transaction that locks the campaign. */
@Injectable()
export class CampaignSendingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly campaigns: CampaignService,
    private readonly recipients: RecipientService,
    private readonly mails: CampaignMails,
    private readonly usage: UsageService,
    private readonly completion: CampaignCompletion,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Fixes the recipients of a draft, charges them to the month, and lets workers send. Of several calls at once one
   * does it.
   * @param seen when the draft that is meant was changed last
   * @throws CAMPAIGN_NOT_DRAFT, NO_MEMBERS, NO_RECIPIENTS, PLAN_LIMIT when the quota does not cover all of them
   * @throws CAMPAIGN_CHANGED when it was changed since
   */
  async send(id: number, zone: ZoneRef, seen?: string): Promise<void> {
    const suppressed = await this.recipients.suppressedMembers(this.em, zone);
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lock(em, id);
      if (!campaignAbilities(campaign).send) throw campaignErrors.CAMPAIGN_NOT_DRAFT();
      assertSeen(campaign, seen);
      await this.begin(em, campaign, suppressed);
    });
  }

  /**
   * Writes and sends, or keeps, a mail in one call. The same mail sent again a moment later is the same campaign.
   * @throws as `create` and `send`
   */
  async sendEmail(zone: ZoneRef, dto: SendEmailDto): Promise<Campaign> {
    if (dto.sendMode === 'draft') return this.campaigns.create(zone, dto);
    const suppressed = await this.recipients.suppressedMembers(this.em, zone);
    return inTransaction(this.em, async (em) => {
      await em.execute('select id from zones where id = ? for no key update', [zone.id]);
      const contentDigest = this.contentDigest(zone, dto);
      const since = new Date(this.clock.now().getTime() - REPEATED);
      const repeated = await em.findOne(Campaign, { zoneId: zone.id, contentDigest, createdAt: { $gt: since } });
      if (repeated) return repeated;
      const campaign = await this.campaigns.create(zone, dto, em);
      campaign.contentDigest = contentDigest;
      await this.begin(em, campaign, suppressed);
      return campaign;
    });
  }

  /** Moves a locked draft or schedule to sending, in the caller's transaction. */
  async begin(em: EntityManager, campaign: Campaign, suppressed: number[]): Promise<void> {
    const now = this.clock.now();
    const period = monthOf(now);
    const opened = await this.mails.open(em, campaign.id);
    const count = await this.recipients.fix(em, campaign, suppressed);
    if (count === 0) throw await this.nobody(em, campaign);
    em.assign(campaign, {
      ...{ status: 'sending', startedAt: now, updatedAt: now, period, failure: null },
      ...{ recipientCount: count, links: [...this.mails.links(opened!)] },
    });
    await em.flush();
    await this.jobs.enqueue(em, deliverCampaign, { campaignId: campaign.id });
    await this.usage.take(em, campaign.sentById, 'mails', count, period);
  }

  /** Claims no more until it is resumed; mails on their way arrive. @throws CAMPAIGN_STATE */
  pause(id: number): Promise<void> {
    return this.change(id, 'pause', async (em, campaign) => {
      campaign.status = 'paused';
      await em.flush();
    });
  }

  /** @throws CAMPAIGN_STATE */
  resume(id: number): Promise<void> {
    return this.change(id, 'resume', async (em, campaign) => {
      campaign.status = 'sending';
      await em.flush();
      await this.jobs.enqueue(em, deliverCampaign, { campaignId: id });
    });
  }

  /** Ends a campaign; recipients whose mail is not on its way get none and are given back. @throws CAMPAIGN_STATE */
  cancel(id: number): Promise<void> {
    return this.change(id, 'cancel', async (em) => {
      await sql`
        with cancelled as (
          update deliveries set state = 'cancelled' where campaign_id = ${id} and state = 'queued' returning id
        )
        update campaigns set status = 'cancelled', sent_at = ${this.clock.now()},
          cancelled_count = cancelled_count + (select count(*) from cancelled)
        where id = ${id}`.execute(query<Tables>(em));
      await this.completion.settle(em, id);
    });
  }

  /**
   * Sends once more to those whose mail failed, charged to the present month.
   * @throws NOTHING_FAILED, CAMPAIGN_STATE, PLAN_LIMIT
   */
  retryFailed(id: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lock(em, id);
      if (!campaignAbilities(campaign).retryFailed) {
        throw campaign.failedCount === 0 ? campaignErrors.NOTHING_FAILED() : campaignErrors.CAMPAIGN_STATE();
      }
      await this.completion.settle(em, id);
      const now = this.clock.now();
      const period = monthOf(now);
      const { rows } = await sql<{ count: number }>`
        with again as (
          update deliveries set state = 'queued', attempts = 0, run_at = ${now}, smtp_code = null, reason = null
          where campaign_id = ${id} and state = 'failed' returning id
        ), counted as (select count(*)::int as count from again)
        update campaigns set status = 'sending', sent_at = null, period = ${period}, updated_at = ${now},
          failed_count = failed_count - count, returned_count = returned_count - count
        from counted where id = ${id} returning count`.execute(query<Tables>(em));
      await this.jobs.enqueue(em, deliverCampaign, { campaignId: id });
      await this.usage.take(em, campaign.sentById, 'mails', rows[0]!.count, period);
    });
  }

  private change(
    id: number,
    ability: keyof CampaignAbilities,
    work: (em: EntityManager, campaign: Campaign) => Promise<void>,
  ): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lock(em, id);
      if (!campaignAbilities(campaign)[ability]) throw campaignErrors.CAMPAIGN_STATE();
      await work(em, campaign);
    });
  }

  private async nobody(em: EntityManager, campaign: Campaign) {
    const zone = await em.findOneOrFail(Zone, { id: campaign.zoneId });
    const { totalMembers } = await this.recipients.count(em, { id: zone.id, ownerId: zone.ownerId }, 'all');
    return totalMembers === 0 ? campaignErrors.NO_MEMBERS() : campaignErrors.NO_RECIPIENTS();
  }

  private contentDigest(zone: ZoneRef, dto: SendEmailDto): string {
    const said = [dto.subject, dto.htmlContent, dto.textContent, dto.targetAudience ?? dto.recipientType ?? 'all'];
    return keyedDigest(this.config.appSecret, 'campaign', String(zone.id), JSON.stringify(said));
  }
}
