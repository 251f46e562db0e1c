import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { builtInTemplates } from '../shared/built-in-templates.js';
import { CampaignService } from '../drafts/campaign.service.js';
import type { MailSettingsDto, UpdateMailSettingsDto } from '../dto/mail-settings.dto.js';
import { CampaignRepository } from '../campaign.repository.js';
import type { ZoneRef } from '../audience/recipient.service.js';
import { MailSettingsRepository } from './mail-settings.repository.js';
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
    private readonly mailSettings: MailSettingsRepository,
    private readonly campaigns: CampaignService,
    private readonly campaignRepository: CampaignRepository,
    private readonly replyToVerification: ReplyToVerificationService,
  ) {}

  /** @param language language of the built-in welcome email, which is shown until the owner saves their own */
  async getSettings(zoneId: number, language: Language): Promise<MailSettingsDto> {
    const settings = await this.mailSettings.findSettings(zoneId);
    const welcome = await this.campaignRepository.findWelcome(this.em, zoneId);
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
    const { welcomeEnabled } = dto;
    const changes = { welcomeEnabled, fromName: dto.fromName === undefined ? undefined : dto.fromName || null };
    const now = await this.getSettings(zone.id, language);
    await inTransaction(this.em, async (em) => {
      const isWelcomeEnabled = await this.mailSettings.updateSettings(em, zone.id, changes);
      await this.replyToVerification.saveReplyTo(em, zone, dto.replyTo === undefined ? undefined : dto.replyTo || null);
      const isWritten = dto.welcomeSubject !== undefined || dto.welcomeHtmlContent !== undefined;
      if (!isWelcomeEnabled && !isWritten) return;
      const subject = dto.welcomeSubject ?? now.welcomeSubject;
      await this.campaignRepository.saveWelcome(
        em,
        zone,
        this.campaigns.sanitiseContent(
          { subject, htmlContent: dto.welcomeHtmlContent ?? now.welcomeHtmlContent },
          FIELD_NAMES,
        ),
      );
    });
  }
}
