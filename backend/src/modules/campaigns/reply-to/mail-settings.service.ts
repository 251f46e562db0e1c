import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { builtInTemplates } from '../shared/built-in-templates.js';
import { CampaignService } from '../drafts/campaign.service.js';
import type { MailSettingsDto, UpdateMailSettingsDto } from '../dto/mail-settings.dto.js';
import { Campaign } from '../entities/campaign.entity.js';
import { ZoneMailSettings, ZoneMailSettingsSchema } from '../entities/zone-mail-settings.entity.js';
import type { ZoneRef } from '../audience/recipient.service.js';
import { ReplyToVerificationService } from './reply-to-verification.service.js';
import { containsAddress } from '../shared/merge-fields.js';

const nameContainsAddress = {
  en: "The name can't contain an email address. Recipients would mistake it for the sender's address.",
  tr: 'Ad bir e-posta adresi içeremez. Alıcılar onu gönderenin adresi sanabilir.',
};
const FIELD_NAMES = { subject: 'welcomeSubject', htmlContent: 'welcomeHtmlContent', textContent: 'textContent' };

/** Manages the sender details of a zone's emails and its welcome email. */
@Injectable()
export class MailSettingsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly campaigns: CampaignService,
    private readonly replyToVerification: ReplyToVerificationService,
  ) {}

  /** @param language language of the built-in welcome email, which is shown until the owner saves their own */
  async getSettings(zoneId: number, language: Language): Promise<MailSettingsDto> {
    const settings = await this.em.findOne(ZoneMailSettings, { zoneId }, { refresh: true });
    const welcome = await this.em.findOne(Campaign, { zoneId, kind: 'welcome' }, { refresh: true });
    const builtIn = builtInTemplates[language].welcome;
    return {
      fromName: settings?.fromName ?? null,
      replyTo: settings?.replyTo ?? null,
      replyToWaiting: settings?.replyTo != null && settings.replyToProvedAt === null,
      replyToAskedAt: settings?.replyToAskedAt ?? null,
      welcomeEnabled: settings?.welcomeEnabled ?? false,
      welcomeSubject: welcome?.subject ?? builtIn.subject,
      welcomeHtmlContent: welcome?.htmlContent ?? builtIn.htmlContent,
      welcomeCampaignId: welcome?.id ?? null,
      welcomeSkipped: settings?.welcomeSkipped ?? 0,
    };
  }

  /**
   * Updates the given settings. Enabling the welcome email creates the campaign to which its deliveries belong.
   * @throws VALIDATION_FAILED for a malformed merge field or a name that contains an email address, CAMPAIGN_TOO_LARGE
   */
  async updateSettings(zone: ZoneRef, dto: UpdateMailSettingsDto, language: Language): Promise<void> {
    if (dto.fromName && containsAddress(dto.fromName)) throw fieldError('fromName', nameContainsAddress);
    const changes = {
      ...(dto.fromName !== undefined && { from_name: dto.fromName || null }),
      ...(dto.welcomeEnabled !== undefined && { welcome_enabled: dto.welcomeEnabled }),
    };
    const now = await this.getSettings(zone.id, language);
    await inTransaction(this.em, async (em) => {
      const rows = query<typeof ZoneMailSettingsSchema>(em);
      await rows
        .insertInto('zone_mail_settings')
        .values({ zone_id: zone.id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { welcomed } = await rows
        .updateTable('zone_mail_settings')
        .set({ zone_id: zone.id, ...changes })
        .where('zone_id', '=', zone.id)
        .returning('welcome_enabled as welcomed')
        .executeTakeFirstOrThrow();
      await this.replyToVerification.saveReplyTo(em, zone, dto.replyTo === undefined ? undefined : dto.replyTo || null);
      const isWritten = dto.welcomeSubject !== undefined || dto.welcomeHtmlContent !== undefined;
      if (!welcomed && !isWritten) return;
      const subject = dto.welcomeSubject ?? now.welcomeSubject;
      await this.saveWelcomeCampaign(
        em,
        zone,
        this.campaigns.sanitiseContent(
          { subject, htmlContent: dto.welcomeHtmlContent ?? now.welcomeHtmlContent },
          FIELD_NAMES,
        ),
      );
    });
  }

  /** Saves the zone's single welcome campaign; concurrent calls don't create a second one. */
  private async saveWelcomeCampaign(
    em: EntityManager,
    zone: ZoneRef,
    { subject, htmlContent }: { subject: string; htmlContent: string },
  ) {
    await em.execute('select id from zones where id = ? for no key update', [zone.id]);
    const at = this.clock.now();
    const known = await em.findOne(Campaign, { zoneId: zone.id, kind: 'welcome' }, { refresh: true });
    if (known) em.assign(known, { subject, htmlContent, updatedAt: at });
    else {
      em.create(Campaign, {
        zoneId: zone.id,
        sentById: zone.ownerId,
        kind: 'welcome',
        status: 'sent',
        name: subject,
        subject,
        htmlContent,
        createdAt: at,
        updatedAt: at,
      });
    }
    await em.flush();
  }
}
