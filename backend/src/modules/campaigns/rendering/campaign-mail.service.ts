import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { BulkMail } from '../../../platform/mail/bulk/compose-mail.js';
import { BulkMailer } from '../../../platform/mail/bulk/bulk-mailer.js';
import { plainName } from '../../../platform/text/plain-name.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { UnsubscribeLinkService } from '../../zones/leaving/unsubscribe-link.service.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { ZoneMailSettingsSchema } from '../entities/zone-mail-settings.entity.js';
import { deliveryMessageId, trackingToken } from '../shared/tracking-token.js';
import { compileMail, type CompiledMail, type MailSource } from './compile-mail.js';
import { oneLine, senderName, type Filling, type MergeField } from '../shared/merge-fields.js';

const named: ReadonlySet<MergeField> = new Set(['first_name', 'last_name', 'full_name']);

type Tables = typeof CampaignSchema | typeof ZoneSchema | typeof UserSchema | typeof ZoneMailSettingsSchema;

/** Somebody whom a mail is made for. */
export interface Recipient {
  readonly userId: number;
  readonly email: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly language: Language;
}

/** What a mail says, before it is a campaign or when it is one. */
export interface MailWording {
  readonly subject: string;
  readonly htmlContent: string;
  readonly textContent: string | null;
}

/** The parts of a mail as somebody would get it, without counting. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Names of people stand in subjects without what would be an address there. */
const inSubject = (filling: Filling): Filling => ({
  ...filling,
  field: (field) => (named.has(field) ? plainName(filling.field(field)) : filling.field(field)),
});

/** How the mails of a zone name their sender. */
export type SenderOfZone = Awaited<ReturnType<CampaignMails['sender']>>;

/** A campaign on its way: compiled once for each language of its recipients. */
export interface OpenCampaign {
  readonly id: number;
  readonly zoneId: number;
  readonly isTracked: boolean;
  readonly wording: MailWording;
  readonly sender: SenderOfZone;
  readonly compiled: Map<Language, CompiledMail>;
}

/** Campaigns whose compiled mails are kept at hand, and for how long in milliseconds: names and settings may change. */
const KEPT_OPEN = 20;
const KEPT_FOR = 30 * SECOND;

/** Makes the mails of campaigns: the one place where text of owners, names of people and addresses meet. */
@Injectable()
export class CampaignMails {
  private readonly domain: string;
  private readonly kept = new Map<number, { readonly at: number; readonly campaign: Promise<OpenCampaign | null> }>();

  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mailer: BulkMailer,
    private readonly unsubscribing: UnsubscribeLinkService,
  ) {
    this.domain = this.mailer.fromAddress.split('@')[1] ?? 'localhost';
  }

  /** Who the mails of a zone come from. Answers go only where somebody has shown that they want them. */
  async sender(em: EntityManager, zoneId: number) {
    const row = await query<Tables>(em)
      .selectFrom('zones as z')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .leftJoin('zone_mail_settings as s', 's.zone_id', 'z.id')
      .select(['z.id as zoneId', 'z.name as zoneName', 's.from_name as fromName', 's.reply_to as replyTo'])
      .select(['s.reply_to_proved_at as provedAt', 'o.email_verified as isVerified'])
      .select(['o.id as ownerId', 'o.email as ownerEmail', 'o.language as language', 'o.postal_address as address'])
      .where('z.id', '=', zoneId)
      .executeTakeFirstOrThrow();
    return {
      zoneId: row.zoneId,
      zoneName: row.zoneName,
      ownerId: row.ownerId,
      fromName: senderName(row.fromName ?? row.zoneName) || this.config.appName,
      replyTo: row.provedAt ? row.replyTo : row.isVerified ? row.ownerEmail : null,
      postalAddress: row.address ?? this.config.companyAddress,
    };
  }

  /** A campaign with everything that its mails need, or null when it is gone. */
  async open(em: EntityManager, campaignId: number): Promise<OpenCampaign | null> {
    const row = await query<Tables>(em)
      .selectFrom('campaigns')
      .select(['id', 'zone_id as zoneId', 'tracking_enabled as isTracked', 'subject'])
      .select(['html_content as htmlContent', 'text_content as textContent'])
      .where('id', '=', campaignId)
      .executeTakeFirst();
    if (!row) return null;
    const { id, zoneId, isTracked, ...wording } = row;
    return { id, zoneId, isTracked, wording, sender: await this.sender(em, zoneId), compiled: new Map() };
  }

  /** The same for sending one mail after the other: those asked for last are kept for half a minute. */
  toSend(campaignId: number): Promise<OpenCampaign | null> {
    const found = this.kept.get(campaignId);
    if (found && performance.now() - found.at < KEPT_FOR) return found.campaign;
    const campaign = this.open(this.em.fork(), campaignId);
    campaign.catch(() => this.kept.delete(campaignId));
    this.kept.delete(campaignId);
    this.kept.set(campaignId, { at: performance.now(), campaign });
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT_OPEN) break;
      this.kept.delete(oldest);
    }
    return campaign;
  }

  /** The mail of one delivery. */
  mailFor(campaign: OpenCampaign, recipient: Recipient, deliveryId: number): BulkMail {
    const { sender } = campaign;
    const filling: Filling = {
      ...this.filling(campaign, recipient),
      ...(campaign.isTracked
        ? this.tracked(deliveryId)
        : { link: this.plainLinks(campaign, recipient.language), pixel: null }),
    };
    return {
      to: recipient.email,
      fromName: sender.fromName,
      replyTo: sender.replyTo,
      ...this.fill(campaign, recipient.language, filling),
      messageId: deliveryMessageId(this.config.keys, deliveryId, this.domain),
      headers: {
        ...this.leaveHeaders(recipient.userId, campaign.zoneId),
        'Feedback-ID': `${campaign.id}:${campaign.zoneId}:campaign:${this.domain}`,
        'Content-Language': recipient.language,
      },
    };
  }

  /** The mail as a recipient would see it, and nothing of it counts. */
  render(campaign: OpenCampaign, recipient: Recipient): RenderedMail {
    const { language } = recipient;
    const link = this.plainLinks(campaign, language);
    return this.fill(campaign, language, { ...this.filling(campaign, recipient), link, pixel: null });
  }

  /** A wording that is no campaign yet. */
  async draft(zoneId: number, wording: MailWording): Promise<OpenCampaign> {
    const sender = await this.sender(this.em, zoneId);
    return { id: 0, zoneId, isTracked: false, wording, sender, compiled: new Map() };
  }

  /** The addresses in a campaign whose clicks can be counted, in their places. */
  async linksOf(em: EntityManager, campaignId: number): Promise<readonly string[]> {
    const campaign = await this.open(em, campaignId);
    return this.compiled(campaign!, 'en').links;
  }

  /** What lets mail programs offer to leave with one click (RFC 8058). */
  leaveHeaders(userId: number, zoneId: number): Record<string, string> {
    return this.unsubscribing.headers({ userId, zoneId });
  }

  /** Counted addresses; each is signed once for both parts of the mail. */
  private tracked(deliveryId: number): Pick<Filling, 'link' | 'pixel'> {
    const token = (link: number | null) => trackingToken(this.config.keys, { deliveryId, link });
    const links: string[] = [];
    return {
      link: (index) => (links[index] ??= `${this.config.appUrl}/api/t/c/${token(index)}`),
      pixel: `${this.config.appUrl}/api/t/o/${token(null)}`,
    };
  }

  private fill(campaign: OpenCampaign, language: Language, filling: Filling): RenderedMail {
    const { subject, html, text } = this.compiled(campaign, language);
    return { subject: oneLine(subject.fill(inSubject(filling))), html: html.fill(filling), text: text.fill(filling) };
  }

  private plainLinks(campaign: OpenCampaign, language: Language): Filling['link'] {
    const { links } = this.compiled(campaign, language);
    return (index) => links[index]!;
  }

  private filling(campaign: OpenCampaign, recipient: Recipient): Pick<Filling, 'field'> {
    const { sender } = campaign;
    const firstName = recipient.firstName ?? '';
    const lastName = recipient.lastName === '.' ? '' : (recipient.lastName ?? '');
    const values: Record<MergeField, () => string> = {
      first_name: () => firstName,
      last_name: () => lastName,
      full_name: () => `${firstName} ${lastName}`.trim(),
      email: () => recipient.email,
      zone_name: () => sender.zoneName,
      zone_url: () => this.zoneUrl(campaign.zoneId),
      subject: () => campaign.wording.subject,
      sender_name: () => sender.fromName,
      unsubscribe_url: () => this.unsubscribing.pageUrl({ userId: recipient.userId, zoneId: campaign.zoneId }),
    };
    return { field: (field) => values[field]() };
  }

  private compiled(campaign: OpenCampaign, language: Language): CompiledMail {
    const known = campaign.compiled.get(language);
    if (known) return known;
    const made = compileMail(this.source(campaign, language));
    campaign.compiled.set(language, made);
    return made;
  }

  private source({ wording, sender, zoneId }: OpenCampaign, language: Language): MailSource {
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
