import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../platform/clock/clock.js';
import { RateLimits } from '../../platform/http/rate-limits.service.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserService } from '../auth/user.service.js';
import type { AudienceQueryDto, SendPreviewDto } from './dto/campaign.dto.js';
import { EmailQuotaService } from './email-quota.service.js';
import { RecipientService, type ZoneRef } from './recipient.service.js';
import { CampaignMails, type MailWording, type RenderedMail } from './rendering/campaign-mail.service.js';
import { sendTestMail } from './send-test-mail.job.js';
import { campaignErrors } from './campaigns.errors.js';

const TEST_MAILS = { name: 'campaign-test', limit: 30, window: HOUR };

/** What an owner can look at before sending. */
@Injectable()
export class CampaignTestService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly rates: RateLimits,
    private readonly jobs: Jobs,
    private readonly mails: CampaignMails,
    private readonly recipients: RecipientService,
    private readonly quotas: EmailQuotaService,
  ) {}

  /** How many a campaign would reach, who is left out, and what is left of the quota. */
  async sendPreview(zone: ZoneRef, { targetAudience = 'all' }: AudienceQueryDto): Promise<SendPreviewDto> {
    const counts = await this.recipients.count(this.em, zone, targetAudience);
    const quota = await this.quotas.ofMonth(zone.ownerId);
    const { fromName, replyTo, postalAddress } = await this.mails.sender(this.em, zone.id);
    return {
      ...counts,
      quota,
      fitsQuota: quota.remaining === null || counts.recipientCount <= quota.remaining,
      fromName,
      replyTo,
      hasPostalAddress: postalAddress !== null,
    };
  }

  /** Sends the campaign to its owner. @throws TOO_MANY_REQUESTS */
  async sendTest(campaignId: number, ownerId: number): Promise<string> {
    await this.rates.take(TEST_MAILS, ownerId);
    const { email } = await this.users.findById(ownerId);
    await this.jobs.enqueue(this.em, sendTestMail, { campaignId });
    return email;
  }

  /** A campaign as the viewer would get it. @throws CAMPAIGN_NOT_FOUND */
  async render(campaignId: number, viewerId: number): Promise<RenderedMail> {
    const campaign = await this.mails.open(this.em, campaignId);
    if (!campaign) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    const viewer = await this.users.findById(viewerId);
    return this.mails.render(campaign, { ...viewer, userId: viewer.id });
  }

  /** A wording that is not kept yet, as the viewer would get it. */
  async renderDraft(zoneId: number, wording: MailWording, viewerId: number): Promise<RenderedMail> {
    const viewer = await this.users.findById(viewerId);
    return this.mails.render(await this.mails.draft(zoneId, wording), { ...viewer, userId: viewer.id });
  }
}
