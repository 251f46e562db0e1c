import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { builtInTemplates, type BuiltInTemplate } from '../shared/built-in-templates.js';
import { CampaignService } from './campaign.service.js';
import { CampaignRepository } from '../campaign.repository.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { TemplateDto, TemplateFormDto } from '../dto/template.dto.js';
import type { EmailTemplate } from '../entities/email-template.entity.js';
import { TemplateRepository } from './template.repository.js';

/** Maximum number of templates per owner. No plan limits them, and each can have 500 kB. */
const MAX_TEMPLATES = 100;

/** Manages email templates: the built-in ones and an owner's own. */
@Injectable()
export class TemplateService {
  constructor(
    private readonly em: EntityManager,
    private readonly templates: TemplateRepository,
    private readonly campaigns: CampaignService,
    private readonly campaignRepository: CampaignRepository,
  ) {}

  /** Lists the built-in templates, then the owner's own by name. */
  async list(ownerId: number, language: Language): Promise<TemplateDto[]> {
    const own = await this.templates.findTemplates(ownerId);
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
      await this.campaignRepository.lockUnsentContent(em, ownerId);
      const count = await this.templates.countTemplates(em, ownerId);
      if (count >= MAX_TEMPLATES) throw campaignErrors.TEMPLATE_LIMIT();
      return toDto(await this.templates.insertTemplate(em, ownerId, fields));
    });
  }

  /** @throws TEMPLATE_NOT_FOUND also for another owner's template, VALIDATION_FAILED, CAMPAIGN_TOO_LARGE */
  update(id: number, ownerId: number, form: TemplateFormDto): Promise<TemplateDto> {
    return inTransaction(this.em, async (em) => {
      const template = await this.templates.findTemplate(em, id, ownerId);
      if (!template) throw campaignErrors.TEMPLATE_NOT_FOUND();
      await this.templates.updateTemplate(em, template, this.sanitiseFields(form));
      return toDto(template);
    });
  }

  /** @throws TEMPLATE_NOT_FOUND */
  async delete(id: number, ownerId: number): Promise<void> {
    if (!(await this.templates.deleteTemplate(id, ownerId))) throw campaignErrors.TEMPLATE_NOT_FOUND();
  }

  private sanitiseFields({ name, subject, htmlContent }: TemplateFormDto) {
    const checked = this.campaigns.sanitiseContent({ subject, htmlContent });
    return { name, subject: checked.subject, htmlContent: checked.htmlContent };
  }
}

function toDto({ id, name, subject, htmlContent }: EmailTemplate): TemplateDto {
  return { id, builtIn: null, name, subject, htmlContent };
}
