import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { UserRepository } from '../../auth/users/user.repository.js';
import type { AudienceQueryDto, SendPreviewDto } from '../dto/campaign.dto.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';
import { RecipientService, type ZoneRef } from '../audience/recipient.service.js';
import { CampaignRendererService, type EmailText, type RenderedEmail } from '../rendering/campaign-renderer.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { Response } from 'express';

/**
 * Allows what email clients allow: no scripts and no forms, but images from the web. Only our own pages may frame it.
 */
const CONTENT_SECURITY_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Sends an email as a separate document whose links open in a new tab. */
export function sendEmailDocument(response: Response, { html }: RenderedEmail): void {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.type('html').send(html.replace('<head>', '<head><base target="_blank">'));
}

/** Provides previews before sending. */
@Injectable()
export class CampaignPreviewService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly renderer: CampaignRendererService,
    private readonly recipients: RecipientService,
    private readonly emailQuota: EmailQuotaService,
  ) {}

  /** Counts the recipients and the people left out, and returns the remaining quota. */
  async previewRecipients(zone: ZoneRef, { targetAudience = 'all' }: AudienceQueryDto): Promise<SendPreviewDto> {
    const counts = await this.recipients.countRecipients(this.em, zone, targetAudience);
    const quota = await this.emailQuota.getMonthlyQuota(zone.ownerId);
    const { fromName, replyTo, postalAddress } = await this.renderer.getSender(this.em, zone.id);
    return {
      ...counts,
      quota,
      fitsQuota: quota.remaining === null || counts.recipientCount <= quota.remaining,
      fromName,
      replyTo,
      hasPostalAddress: postalAddress !== null,
    };
  }

  /**
   * Renders a campaign as the viewer would get it.
   * @throws CAMPAIGN_NOT_FOUND
   */
  async renderCampaign(campaignId: number, viewerId: number): Promise<RenderedEmail> {
    const campaign = await this.renderer.prepareCampaign(this.em, campaignId);
    if (!campaign) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    const viewer = await this.users.getManagedUser(viewerId);
    return this.renderer.renderPreview(campaign, { ...viewer, userId: viewer.id });
  }

  /** Renders unsaved content as the viewer would get it. */
  async renderDraft(zoneId: number, wording: EmailText, viewerId: number): Promise<RenderedEmail> {
    const viewer = await this.users.getManagedUser(viewerId);
    return this.renderer.renderPreview(await this.renderer.prepareDraft(zoneId, wording), {
      ...viewer,
      userId: viewer.id,
    });
  }
}
