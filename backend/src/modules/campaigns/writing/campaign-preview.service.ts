import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { UserService } from '../../auth/users/user.service.js';
import type { AudienceQueryDto, SendPreviewDto } from '../dto/campaign.dto.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { RecipientService, type ZoneRef } from '../audience/recipient.service.js';
import { CampaignMails, type MailWording, type RenderedMail } from '../rendering/campaign-mail.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { Response } from 'express';

/** What a mail program allows: no script, no form, no page of ours inside; pictures from the web as mails have them. */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Answers with a mail as a document of its own; its links open beside the page. */
export function sendMailDocument(response: Response, { html }: RenderedMail): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.type('html').send(html.replace('<head>', '<head><base target="_blank">'));
}

/** What an owner can look at before sending. */
@Injectable()
export class CampaignPreviews {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
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
