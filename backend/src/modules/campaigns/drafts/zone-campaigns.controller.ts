import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import { ApiList, ListQueryDto, sendPage } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { CampaignListService } from './campaign-list.service.js';
import { CampaignSendingService } from '../sending/campaign-sending.service.js';
import { CampaignPreviewService, sendEmailDocument } from './campaign-preview.service.js';
import { CampaignService } from './campaign.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import {
  AudienceQueryDto,
  CampaignDto,
  CampaignSummaryDto,
  SendEmailAnswerDto,
  SendEmailDto,
  SendPreviewDto,
  ZoneCampaignDto,
} from '../dto/campaign.dto.js';
import { PreviewDto } from '../dto/template.dto.js';

@ApiTags('campaigns')
@Controller('api/zones/:id')
export class ZoneCampaignsController {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly lists: CampaignListService,
    private readonly sending: CampaignSendingService,
    private readonly campaignPreviews: CampaignPreviewService,
  ) {}

  @Get('campaigns')
  @ZoneAccess('sendCampaigns')
  @ApiList()
  @ApiOperation({ summary: 'List the campaigns of a zone, newest first' })
  @ApiOkResponse({ type: [CampaignSummaryDto] })
  async list(
    @CurrentZone() { id }: AccessibleZone,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CampaignSummaryDto[]> {
    return sendPage(response, await this.lists.listByZone(id, page));
  }

  @Post('campaigns')
  @ZoneAccess('sendCampaigns')
  @ApiOperation({ summary: 'Create a draft for this zone' })
  @ApiCreatedResponse({ type: CampaignDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_TOO_LARGE, campaignErrors.DRAFT_LIMIT)
  async create(@CurrentZone() zone: AccessibleZone, @Body() dto: ZoneCampaignDto): Promise<CampaignDto> {
    return this.lists.getCampaign((await this.campaigns.create(zone, dto)).id);
  }

  @Post('send-email')
  @ZoneAccess('sendCampaigns')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send an email to the members in one call, or save it as a draft' })
  @ApiOkResponse({ type: SendEmailAnswerDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_TOO_LARGE, campaignErrors.DRAFT_LIMIT)
  @ApiErrors(campaignErrors.NO_MEMBERS, campaignErrors.NO_RECIPIENTS, planErrors.PLAN_LIMIT)
  async sendEmail(@CurrentZone() zone: AccessibleZone, @Body() dto: SendEmailDto): Promise<SendEmailAnswerDto> {
    const { id } = await this.sending.sendEmail(zone, dto);
    const { status, recipientCount } = await this.lists.getProgress(id);
    const { totalMembers } = await this.campaignPreviews.previewRecipients(zone, {});
    return { status, recipientCount, totalMembers, campaignId: id };
  }

  @Get('send-preview')
  @ZoneAccess('sendCampaigns')
  @ApiOperation({
    summary: 'Get the number of recipients, who is left out, and the remaining emails for a new campaign',
  })
  @ApiOkResponse({ type: SendPreviewDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  sendPreview(@CurrentZone() zone: AccessibleZone, @Query() query: AudienceQueryDto): Promise<SendPreviewDto> {
    return this.campaignPreviews.previewRecipients(zone, query);
  }

  @Post('campaigns/preview')
  @ZoneAccess('sendCampaigns')
  @HttpCode(200)
  @Consumes('application/json', 'application/x-www-form-urlencoded')
  @ApiProduces('text/html')
  @ApiOperation({
    summary: 'Preview unsaved content as you would get it: a document without scripts, for a frame (form post)',
  })
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_TOO_LARGE)
  async preview(
    @CurrentZone() { id }: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: PreviewDto,
    @Res() response: Response,
  ): Promise<void> {
    const wording = this.campaigns.sanitiseContent(dto);
    sendEmailDocument(response, await this.campaignPreviews.renderDraft(id, wording, userId));
  }
}
