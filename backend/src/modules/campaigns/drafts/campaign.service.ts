import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { ZoneAccessRepository } from '../../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { assertAbility, assertUnchanged } from '../access/campaign.policy.js';
import { CampaignRepository } from '../campaign.repository.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { UpdateCampaignDto, ZoneCampaignDto } from '../dto/campaign.dto.js';
import type { Campaign } from '../entities/campaign.entity.js';
import { isBlank, findNestingError, findComplexityError } from '../rendering/email-complexity.policy.js';
import { findMergeFieldError } from '../shared/merge-fields.js';
import { sanitiseHtml } from '../shared/sanitise-html.js';

/** Maximum number of drafts per owner. No plan limits them, and each can have 500 kB. */
const MAX_DRAFTS = 500;

/** Maximum size of an email's HTML in bytes. */
const MAX_HTML_BYTES = 500 * 1024;

/** Creates, updates and deletes drafts. */
@Injectable()
export class CampaignService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly zones: ZoneAccessRepository,
    private readonly campaigns: CampaignRepository,
  ) {}

  /**
   * Creates a draft in a zone that the person owns, in the caller's transaction if given.
   * @throws VALIDATION_FAILED for a malformed or unknown merge field, CAMPAIGN_TOO_LARGE, DRAFT_LIMIT
   */
  async create(
    zone: { id: number; ownerId: number },
    dto: ZoneCampaignDto,
    em: EntityManager = this.em,
  ): Promise<Campaign> {
    const checked = this.sanitiseContent(dto);
    return inTransaction(em, async (em) => {
      await this.campaigns.lockUnsentContent(em, zone.ownerId);
      if ((await this.campaigns.countDrafts(em, zone.ownerId)) >= MAX_DRAFTS) throw campaignErrors.DRAFT_LIMIT();
      return this.campaigns.insertCampaign(em, {
        zoneId: zone.id,
        sentById: zone.ownerId,
        name: dto.name || dto.subject,
        ...checked,
        targetAudience: dto.targetAudience ?? dto.recipientType ?? 'all',
        trackingEnabled: dto.trackingEnabled ?? true,
      });
    });
  }

  /**
   * Returns a zone in which the person may create campaigns.
   * @throws ZONE_NOT_FOUND for non-members, ZONE_FORBIDDEN for other members
   */
  async getWritableZone(zoneId: number, userId: number): Promise<{ id: number; ownerId: number }> {
    const zone = await this.zones.findAccessibleZone(zoneId, userId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(zone.role).sendCampaigns) throw zoneErrors.ZONE_FORBIDDEN();
    return zone;
  }

  /**
   * Updates a draft, or a scheduled campaign that could not start; omitted fields stay unchanged. It can be moved to
   * another zone of the same owner.
   * @throws CAMPAIGN_NOT_DRAFT, CAMPAIGN_CHANGED, VALIDATION_FAILED, CAMPAIGN_TOO_LARGE, ZONE_NOT_FOUND
   */
  async update(id: number, userId: number, dto: UpdateCampaignDto): Promise<void> {
    const zone = dto.zoneId === undefined ? null : await this.getWritableZone(dto.zoneId, userId);
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lockCampaign(em, id);
      assertAbility(campaign, 'edit');
      assertUnchanged(campaign, dto.updatedAt);
      const { subject, htmlContent, textContent } = { ...campaign, ...withoutUndefined(dto) };
      await this.campaigns.updateCampaign(em, campaign, {
        ...this.sanitiseContent({ subject, htmlContent, textContent: textContent ?? '' }),
        name: dto.name || campaign.name,
        zoneId: zone?.id ?? campaign.zoneId,
        targetAudience: dto.targetAudience ?? dto.recipientType ?? campaign.targetAudience,
        trackingEnabled: dto.trackingEnabled ?? campaign.trackingEnabled,
        updatedAt: this.clock.now(),
      });
    });
  }

  /** @throws CAMPAIGN_NOT_FOUND; CAMPAIGN_NOT_DRAFT for a campaign that was sent or is scheduled */
  async delete(id: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lockCampaign(em, id);
      assertAbility(campaign, 'delete');
      await this.campaigns.removeCampaign(em, campaign);
    });
  }

  /**
   * Sanitises and validates content before it is stored or sent.
   * @param names request field names, for validation errors
   * @throws VALIDATION_FAILED, CAMPAIGN_TOO_LARGE
   */
  sanitiseContent(
    { subject, htmlContent, textContent }: { subject: string; htmlContent: string; textContent?: string },
    names = { subject: 'subject', htmlContent: 'htmlContent', textContent: 'textContent' },
  ) {
    if (Buffer.byteLength(htmlContent) > MAX_HTML_BYTES) throw campaignErrors.CAMPAIGN_TOO_LARGE();
    const tooDeep = findNestingError(htmlContent);
    if (tooDeep) throw fieldError(names.htmlContent, tooDeep);
    const html = sanitiseHtml(htmlContent, this.config.appUrl);
    const texts = { [names.subject]: subject, [names.htmlContent]: html, [names.textContent]: textContent ?? '' };
    for (const [field, text] of Object.entries(texts)) {
      const fieldProblem = findMergeFieldError(text);
      if (fieldProblem) throw fieldError(field, fieldProblem);
    }
    if (isBlank(html)) throw fieldError(names.htmlContent, contentMissing);
    const tooMuch = findComplexityError(html);
    if (tooMuch) throw fieldError(names.htmlContent, tooMuch);
    return { subject, htmlContent: html, textContent: textContent?.trim() ? textContent : null };
  }
}

const contentMissing = { en: 'Please enter email content', tr: 'Lütfen e-posta içeriğini girin' };

function withoutUndefined<T extends object>(dto: T): Partial<T> {
  return Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined)) as Partial<T>;
}
