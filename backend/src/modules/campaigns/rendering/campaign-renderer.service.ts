import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { BulkEmail } from '../../../platform/email/bulk/compose-email.js';
import { BulkMailer } from '../../../platform/email/bulk/bulk-mailer.js';
import { removeUrls } from '../../../platform/text/plain-name.js';
import { displayedLastName, fullName } from '../../auth/entities/user.entity.js';
import { UnsubscribeLinkService } from '../../zones/leaving/unsubscribe-link.service.js';
import { CampaignRepository } from '../campaign.repository.js';
import { MailSettingsRepository } from '../reply-to/mail-settings.repository.js';
import { createMessageId, createTrackingToken } from '../shared/tracking-token.js';
import { compileEmail, type CompiledEmail, type EmailSource } from './compile-email.js';
import { toSingleLine, senderName, type TemplateValues, type MergeField } from '../shared/merge-fields.js';

const nameFields: ReadonlySet<MergeField> = new Set(['first_name', 'last_name', 'full_name']);

/** The recipient for whom an email is rendered. */
export interface Recipient {
  readonly userId: number;
  readonly email: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly language: Language;
}

/** The content of an email, of a campaign or a draft. */
export interface EmailText {
  readonly subject: string;
  readonly htmlContent: string;
  readonly textContent: string | null;
}

/** The parts of an email as a recipient would get it, without tracking. */
export interface RenderedEmail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Values for the subject: names are stripped of anything that looks like a URL. */
const toSubjectValues = (filling: TemplateValues): TemplateValues => ({
  ...filling,
  field: (field) => (nameFields.has(field) ? removeUrls(filling.field(field)) : filling.field(field)),
});

/** Sender details of a zone's emails. */
export type ZoneSender = Awaited<ReturnType<CampaignRendererService['getSender']>>;

/** A campaign prepared for sending; it is compiled once per language of its recipients. */
export interface PreparedCampaign {
  readonly id: number;
  readonly zoneId: number;
  readonly isTracked: boolean;
  readonly text: EmailText;
  readonly sender: ZoneSender;
  readonly compiled: Map<Language, CompiledEmail>;
}

/** Number of compiled campaigns to cache, and for how long in milliseconds, since names and settings may change. */
const CACHE_SIZE = 20;
const CACHE_TTL = 30 * SECOND;

/** Renders the emails of campaigns. Combines the owner's content with personal data and URLs; no other code does. */
@Injectable()
export class CampaignRendererService {
  private readonly domain: string;
  private readonly cache = new Map<
    number,
    { readonly at: number; readonly campaign: Promise<PreparedCampaign | null> }
  >();

  constructor(
    private readonly em: EntityManager,
    private readonly campaigns: CampaignRepository,
    private readonly mailSettings: MailSettingsRepository,
    private readonly config: AppConfig,
    private readonly mailer: BulkMailer,
    private readonly unsubscribeLinks: UnsubscribeLinkService,
  ) {
    this.domain = this.mailer.fromAddress.split('@')[1] ?? 'localhost';
  }

  /** Returns the sender of a zone's emails. Replies go only to addresses whose owner has confirmed. */
  async getSender(em: EntityManager, zoneId: number) {
    const row = await this.mailSettings.findSender(em, zoneId);
    return {
      zoneId: row.zoneId,
      zoneName: row.zoneName,
      ownerId: row.ownerId,
      fromName: senderName(row.fromName ?? row.zoneName) || this.config.appName,
      replyTo: row.provedAt ? row.replyTo : row.isVerified ? row.ownerEmail : null,
      postalAddress: row.address ?? this.config.companyAddress,
    };
  }

  /** Loads a campaign with everything needed to render its emails; null if it no longer exists. */
  async prepareCampaign(em: EntityManager, campaignId: number): Promise<PreparedCampaign | null> {
    const row = await this.campaigns.findContent(em, campaignId);
    if (!row) return null;
    const { id, zoneId, isTracked, ...wording } = row;
    return { id, zoneId, isTracked, text: wording, sender: await this.getSender(em, zoneId), compiled: new Map() };
  }

  /** Like `prepareCampaign`, with a cache of half a minute for sending many emails in a row. */
  getPreparedCampaign(campaignId: number): Promise<PreparedCampaign | null> {
    const found = this.cache.get(campaignId);
    if (found && performance.now() - found.at < CACHE_TTL) return found.campaign;
    const campaign = this.prepareCampaign(this.em.fork(), campaignId);
    campaign.catch(() => this.cache.delete(campaignId));
    this.cache.delete(campaignId);
    this.cache.set(campaignId, { at: performance.now(), campaign });
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= CACHE_SIZE) break;
      this.cache.delete(oldest);
    }
    return campaign;
  }

  /** Renders the email of a delivery. */
  renderDelivery(campaign: PreparedCampaign, recipient: Recipient, deliveryId: number): BulkEmail {
    const { sender } = campaign;
    const filling: TemplateValues = {
      ...this.buildValues(campaign, recipient),
      ...(campaign.isTracked
        ? this.buildTrackingUrls(deliveryId)
        : { link: this.untrackedLinks(campaign, recipient.language), pixel: null }),
    };
    return {
      to: recipient.email,
      fromName: sender.fromName,
      replyTo: sender.replyTo,
      ...this.fillTemplate(campaign, recipient.language, filling),
      messageId: createMessageId(this.config.keys, deliveryId, this.domain),
      headers: {
        ...this.unsubscribeHeaders(recipient.userId, campaign.zoneId),
        'Feedback-ID': `${campaign.id}:${campaign.zoneId}:campaign:${this.domain}`,
        'Content-Language': recipient.language,
      },
    };
  }

  /** Renders the email as a recipient would see it, without tracking. */
  renderPreview(campaign: PreparedCampaign, recipient: Recipient): RenderedEmail {
    const { language } = recipient;
    const link = this.untrackedLinks(campaign, language);
    return this.fillTemplate(campaign, language, { ...this.buildValues(campaign, recipient), link, pixel: null });
  }

  /** Prepares content that is not a campaign yet. */
  async prepareDraft(zoneId: number, wording: EmailText): Promise<PreparedCampaign> {
    const sender = await this.getSender(this.em, zoneId);
    return { id: 0, zoneId, isTracked: false, text: wording, sender, compiled: new Map() };
  }

  /** Returns the trackable URLs of a campaign by index. */
  async listTrackedLinks(em: EntityManager, campaignId: number): Promise<readonly string[]> {
    const campaign = await this.prepareCampaign(em, campaignId);
    return this.getCompiled(campaign!, 'en').links;
  }

  /** Headers that let email clients offer one-click unsubscribe (RFC 8058). */
  unsubscribeHeaders(userId: number, zoneId: number): Record<string, string> {
    return this.unsubscribeLinks.headers({ userId, zoneId });
  }

  /** Builds tracked URLs; each is signed only once for both parts of the email. */
  private buildTrackingUrls(deliveryId: number): Pick<TemplateValues, 'link' | 'pixel'> {
    const token = (link: number | null) => createTrackingToken(this.config.keys, { deliveryId, link });
    const links: string[] = [];
    return {
      link: (index) => (links[index] ??= `${this.config.appUrl}/api/t/c/${token(index)}`),
      pixel: `${this.config.appUrl}/api/t/o/${token(null)}`,
    };
  }

  private fillTemplate(campaign: PreparedCampaign, language: Language, filling: TemplateValues): RenderedEmail {
    const { subject, html, text } = this.getCompiled(campaign, language);
    return {
      subject: toSingleLine(subject.render(toSubjectValues(filling))),
      html: html.render(filling),
      text: text.render(filling),
    };
  }

  private untrackedLinks(campaign: PreparedCampaign, language: Language): TemplateValues['link'] {
    const { links } = this.getCompiled(campaign, language);
    return (index) => links[index]!;
  }

  private buildValues(campaign: PreparedCampaign, recipient: Recipient): Pick<TemplateValues, 'field'> {
    const { sender } = campaign;
    const values: Record<MergeField, () => string> = {
      first_name: () => recipient.firstName ?? '',
      last_name: () => displayedLastName(recipient) ?? '',
      full_name: () => fullName(recipient),
      email: () => recipient.email,
      zone_name: () => sender.zoneName,
      zone_url: () => this.zoneUrl(campaign.zoneId),
      subject: () => campaign.text.subject,
      sender_name: () => sender.fromName,
      unsubscribe_url: () => this.unsubscribeLinks.pageUrl({ userId: recipient.userId, zoneId: campaign.zoneId }),
    };
    return { field: (field) => values[field]() };
  }

  private getCompiled(campaign: PreparedCampaign, language: Language): CompiledEmail {
    const cached = campaign.compiled.get(language);
    if (cached) return cached;
    const compiled = compileEmail(this.buildSource(campaign, language));
    campaign.compiled.set(language, compiled);
    return compiled;
  }

  private buildSource({ text: wording, sender, zoneId }: PreparedCampaign, language: Language): EmailSource {
    return {
      subject: wording.subject,
      html: wording.htmlContent,
      text: wording.textContent,
      zoneName: sender.zoneName,
      zoneUrl: this.zoneUrl(zoneId),
      senderName: sender.fromName,
      postalAddress: sender.postalAddress,
      language,
    };
  }

  private zoneUrl(zoneId: number): string {
    return `${this.config.appUrl}/zones/${zoneId}`;
  }
}
