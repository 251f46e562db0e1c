import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';
import { CampaignRepository } from '../campaign.repository.js';
import { campaignFailedEmail } from '../emails/campaign-failed.email.js';
import { campaignStoppedEmail } from '../emails/campaign-stopped.email.js';
import type { Campaign } from '../entities/campaign.entity.js';
import { ReportRepository, type RejectionSummary } from '../reports/report.repository.js';
import { renderMergeFieldFallbacks } from '../shared/merge-fields.js';
import { notifyCampaignFailed, notifyCampaignStopped } from '../campaigns.jobs.js';

/** Sends emails to owners about their campaigns. */
@Injectable()
export class CampaignNotificationMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly campaigns: CampaignRepository,
    private readonly zones: ZoneRepository,
    private readonly reports: ReportRepository,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly email: EmailService,
  ) {}

  /** Notifies the owner that a scheduled campaign did not start, and why; does nothing once the owner has acted. */
  @OnJob(notifyCampaignFailed)
  async notifyFailed({ campaignId }: { campaignId: number }, { id }: JobContext): Promise<void> {
    const campaign = await this.campaigns.findFailed(campaignId);
    const zone = campaign && (await this.zones.findZone(campaign.zoneId));
    const owner = campaign && (await this.users.findActiveUser(campaign.sentById));
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
    const campaign = await this.campaigns.findStopped(campaignId);
    const zone = campaign && (await this.zones.findZone(campaign.zoneId));
    const owner = campaign && (await this.users.findActiveUser(campaign.sentById));
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

  /** Summarises the rejections with the cause that stopped the campaign, otherwise with the most frequent cause. */
  private summarizeRejections({ id, failure }: Campaign): Promise<RejectionSummary | null> {
    const causes: Record<string, BounceCause> = { SENDER_REFUSED: 'sender', READERS_REFUSED: 'reader' };
    return this.reports.findRejectionSummary(id, causes[failure ?? ''] ?? null);
  }
}
