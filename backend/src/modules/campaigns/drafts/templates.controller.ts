import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { campaignErrors } from '../campaigns.errors.js';
import { TemplateDto, TemplateFormDto } from '../dto/template.dto.js';
import { TemplateService } from './template.service.js';

@ApiTags('campaigns')
@Controller('api/email-templates')
export class TemplatesController {
  constructor(private readonly templates: TemplateService) {}

  @Get()
  @SignedIn()
  @ApiOperation({ summary: 'List the built-in templates, then your own' })
  @ApiOkResponse({ type: [TemplateDto] })
  list(@CurrentViewer() { userId }: Viewer, @RequestLanguage() language: Language): Promise<TemplateDto[]> {
    return this.templates.list(userId, language);
  }

  @Post()
  @SignedIn()
  @ApiOperation({ summary: 'Create a template' })
  @ApiCreatedResponse({ type: TemplateDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_TOO_LARGE, campaignErrors.TEMPLATE_LIMIT)
  create(@CurrentViewer() { userId }: Viewer, @Body() form: TemplateFormDto): Promise<TemplateDto> {
    return this.templates.create(userId, form);
  }

  @Put(':id')
  @SignedIn()
  @ApiOperation({ summary: 'Change one of your templates' })
  @ApiOkResponse({ type: TemplateDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.TEMPLATE_NOT_FOUND, campaignErrors.CAMPAIGN_TOO_LARGE)
  update(
    @IdParam() id: number,
    @CurrentViewer() { userId }: Viewer,
    @Body() form: TemplateFormDto,
  ): Promise<TemplateDto> {
    return this.templates.update(id, userId, form);
  }

  @Delete(':id')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete one of your templates' })
  @ApiNoContentResponse()
  @ApiErrors(campaignErrors.TEMPLATE_NOT_FOUND)
  delete(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.templates.delete(id, userId);
  }
}
