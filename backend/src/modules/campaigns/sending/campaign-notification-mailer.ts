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
import { toReadableText } from '../shared/merge-fields.js';
import { notifyCampaignFailed, notifyCampaignStopped } from '../campaigns.jobs.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

/** Matches rejected campaigns on which the owner has not acted yet. */
const stoppedFilter = {
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
        campaignName: toReadableText(campaign.name, zone.name),
        zoneName: zone.name,
        isOverQuota: campaign.failure === 'PLAN_LIMIT',
        url: `${this.config.appUrl}/campaigns`,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Notifies the owner that a campaign was paused or rejected entirely, with the most frequent response of the mail
   * servers; does nothing once the owner has resumed or ended it.
   */
  @OnJob(notifyCampaignStopped)
  async notifyStopped({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.em.findOne(Campaign, { id: campaignId, ...stoppedFilter });
    const zone = campaign && (await this.em.findOne(Zone, { id: campaign.zoneId, deletedAt: null }));
    const owner = campaign && (await this.em.findOne(User, { id: campaign.sentById, deactivatedAt: null }));
    const refused = campaign && (await this.summarizeRejections(campaign));
    if (!campaign || !zone || !owner || !refused) return;
    await this.email.send(campaignStoppedEmail, {
      to: owner.email,
      language: owner.language,
      values: {
        campaignName: toReadableText(campaign.name, zone.name),
        zoneName: zone.name,
        refused: refused.count,
        reason: refused.reason,
        fault: refused.fault,
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
    const faults: Record<string, BounceCause> = { SENDER_REFUSED: 'sender', READERS_REFUSED: 'reader' };
    const fault = faults[failure ?? ''] ?? null;
    const { rows } = await sql<RejectionSummary>`
      select fault, count(*)::int as count, coalesce(mode() within group (order by reason), '') as reason from deliveries
      where campaign_id = ${id} and (state = 'failed' or (state = 'queued' and fault is not null))
      group by fault order by (fault = ${fault}) desc nulls last, count(*) desc limit 1`.execute(
      query<typeof DeliverySchema>(this.em),
    );
    return rows[0];
  }
}

interface RejectionSummary {
  readonly fault: BounceCause | null;
  readonly count: number;
  readonly reason: string;
}
