import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { campaignFailedEmail } from '../emails/campaign-failed.email.js';
import { campaignStoppedEmail } from '../emails/campaign-stopped.email.js';
import { Campaign } from '../entities/campaign.entity.js';
import { renderMergeFieldFallbacks } from '../shared/merge-fields.js';
import { notifyCampaignFailed, notifyCampaignStopped } from '../campaigns.jobs.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

/** Matches campaigns that were paused or failed because mail servers rejected emails, until the owner acts. */
const rejectedDeliveryFilter = {
  status: { $in: ['paused', 'failed'] },
  failure: { $in: ['SENDER_REFUSED', 'READERS_REFUSED', 'ALL_REFUSED'] },
} as const;

/** Sends emails to owners about their campaigns. */
@Injectable()
export class CampaignNotificationMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly email: EmailService,
  ) {}

  /** Notifies the owner that a scheduled campaign did not start, and why; does nothing once the owner has acted. */
  @OnJob(notifyCampaignFailed)
  async notifyFailed({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.em.findOne(Campaign, { id: campaignId, status: 'failed' });
    const zone = campaign && (await this.em.findOne(Zone, { id: campaign.zoneId, deletedAt: null }));
    const owner = campaign && (await this.em.findOne(User, { id: campaign.sentById, deactivatedAt: null }));
    if (!campaign || !zone || !owner) return;
    await this.email.send(campaignFailedEmail, {
      to: owner.email,
      language: owner.language,
      values: {
        campaignName: renderMergeFieldFallbacks(campaign.name, zone.name),
        zoneName: zone.name,
        isOverQuota: campaign.failure === 'PLAN_LIMIT',
        url: `${this.config.appUrl}/campaigns`,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Notifies the owner that a campaign was paused or failed because mail servers rejected emails, with their most
   * frequent response; does nothing once the owner has resumed or ended it.
   */
  @OnJob(notifyCampaignStopped)
  async notifyStopped({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.em.findOne(Campaign, { id: campaignId, ...rejectedDeliveryFilter });
    const zone = campaign && (await this.em.findOne(Zone, { id: campaign.zoneId, deletedAt: null }));
    const owner = campaign && (await this.em.findOne(User, { id: campaign.sentById, deactivatedAt: null }));
    const rejections = campaign && (await this.summarizeRejections(campaign));
    if (!campaign || !zone || !owner || !rejections) return;
    await this.email.send(campaignStoppedEmail, {
      to: owner.email,
      language: owner.language,
      values: {
        campaignName: renderMergeFieldFallbacks(campaign.name, zone.name),
        zoneName: zone.name,
        rejectedCount: rejections.count,
        reason: rejections.reason,
        bounceCause: rejections.bounceCause,
        isPaused: campaign.status === 'paused',
        url: `${this.config.appUrl}/campaigns/${campaign.id}`,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Counts the rejections with the cause that stopped the campaign, otherwise the most frequent cause, with the most
   * frequent response.
   */
  private async summarizeRejections({ id, failure }: Campaign): Promise<RejectionSummary | undefined> {
    const causes: Record<string, BounceCause> = { SENDER_REFUSED: 'sender', READERS_REFUSED: 'reader' };
    const bounceCause = causes[failure ?? ''] ?? null;
    const { rows } = await sql<RejectionSummary>`
      select fault as "bounceCause", count(*)::int as count, coalesce(mode() within group (order by reason), '') as reason from deliveries
      where campaign_id = ${id} and (state = 'failed' or (state = 'queued' and fault is not null))
      group by fault order by (fault = ${bounceCause}) desc nulls last, count(*) desc limit 1`.execute(
      query<typeof DeliverySchema>(this.em),
    );
    return rows[0];
  }
}

interface RejectionSummary {
  readonly bounceCause: BounceCause | null;
  readonly count: number;
  readonly reason: string;
}
