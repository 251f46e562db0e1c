import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { LIST_LIMIT } from '../../../platform/http/lists/list.js';
import { builtInTemplates, type BuiltInTemplate } from '../shared/built-in-templates.js';
import { CampaignService, assertTemplateLimit } from './campaign.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { TemplateDto, TemplateFormDto } from '../dto/template.dto.js';
import { EmailTemplate } from '../entities/email-template.entity.js';

/** Manages email templates: the built-in ones and an owner's own. */
@Injectable()
export class TemplateService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly campaigns: CampaignService,
  ) {}

  /** Lists the built-in templates, then the owner's own by name. */
  async list(ownerId: number, language: Language): Promise<TemplateDto[]> {
    const own = await this.em.find(
      EmailTemplate,
      { ownerId },
      { orderBy: { name: 'asc', id: 'asc' }, limit: LIST_LIMIT },
    );
    const builtIn = Object.entries(builtInTemplates[language]).map(([key, template]) => ({
      id: null,
      builtIn: key as BuiltInTemplate,
      ...template,
    }));
    return [...builtIn, ...own.map(toDto)];
  }

  /** @throws VALIDATION_FAILED for a malformed merge field, CAMPAIGN_TOO_LARGE, TEMPLATE_LIMIT */
  async create(ownerId: number, form: TemplateFormDto): Promise<TemplateDto> {
    const fields = this.sanitiseFields(form);
    return inTransaction(this.em, async (em) => {
      await assertTemplateLimit(em, ownerId);
      const now = this.clock.now();
      const template = em.create(EmailTemplate, { ownerId, ...fields, createdAt: now, updatedAt: now });
      await em.flush();
      return toDto(template);
    });
  }

  /** @throws TEMPLATE_NOT_FOUND also for another owner's template, VALIDATION_FAILED, CAMPAIGN_TOO_LARGE */
  update(id: number, ownerId: number, form: TemplateFormDto): Promise<TemplateDto> {
    return inTransaction(this.em, async (em) => {
      const template = await em.findOne(EmailTemplate, { id, ownerId });
      if (!template) throw campaignErrors.TEMPLATE_NOT_FOUND();
      em.assign(template, { ...this.sanitiseFields(form), updatedAt: this.clock.now() });
      return toDto(template);
    });
  }

  /** @throws TEMPLATE_NOT_FOUND */
  async delete(id: number, ownerId: number): Promise<void> {
    const deleted = await this.em.nativeDelete(EmailTemplate, { id, ownerId });
    if (deleted === 0) throw campaignErrors.TEMPLATE_NOT_FOUND();
  }

  private sanitiseFields({ name, subject, htmlContent }: TemplateFormDto) {
    const checked = this.campaigns.sanitiseContent({ subject, htmlContent });
    return { name, subject: checked.subject, htmlContent: checked.htmlContent };
  }
}

function toDto({ id, name, subject, htmlContent }: EmailTemplate): TemplateDto {
  return { id, builtIn: null, name, subject, htmlContent };
}
