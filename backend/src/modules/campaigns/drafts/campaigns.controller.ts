import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ApiList, ListQueryDto, sendPage } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import {
  CampaignAccess,
  CampaignReportAccess,
  CurrentCampaign,
  CurrentReport,
  type ViewedCampaign,
} from '../access/campaign-access.guard.js';
import { CampaignListService } from './campaign-list.service.js';
import { CampaignService } from './campaign.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import {
  CampaignDto,
  SendingProgressDto,
  CampaignSummaryDto,
  CreateCampaignDto,
  EmailQuotaDto,
  UpdateCampaignDto,
} from '../dto/campaign.dto.js';
import { EmailQuotaService } from '../quota/email-quota.service.js';

@ApiTags('campaigns')
@Controller('api')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly lists: CampaignListService,
    private readonly quotas: EmailQuotaService,
  ) {}

  @Get('campaigns')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'List the campaigns of all your zones, newest first' })
  @ApiOkResponse({ type: [CampaignSummaryDto] })
  async list(
    @CurrentViewer() { userId }: Viewer,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CampaignSummaryDto[]> {
    return sendPage(response, await this.lists.listByOwner(userId, page));
  }

  @Post('campaigns')
  @SignedIn()
  @ApiOperation({ summary: 'Create a draft for one of your zones' })
  @ApiCreatedResponse({ type: CampaignDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_TOO_LARGE, campaignErrors.DRAFT_LIMIT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  async create(@CurrentViewer() { userId }: Viewer, @Body() dto: CreateCampaignDto): Promise<CampaignDto> {
    const zone = await this.campaigns.getWritableZone(dto.zoneId, userId);
    return this.lists.getCampaign((await this.campaigns.create(zone, dto)).id);
  }

  @Get('campaigns/:id')
  @CampaignReportAccess()
  @ApiOperation({ summary: 'Get a campaign' })
  @ApiOkResponse({ type: CampaignDto })
  one(@CurrentReport() id: number): Promise<CampaignDto> {
    return this.lists.getCampaign(id);
  }

  @Put('campaigns/:id')
  @CampaignAccess()
  @ApiOperation({ summary: 'Change a draft; omitted fields are kept' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_NOT_DRAFT, campaignErrors.CAMPAIGN_TOO_LARGE)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, campaignErrors.CAMPAIGN_CHANGED)
  async update(
    @CurrentCampaign() { id }: ViewedCampaign,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: UpdateCampaignDto,
  ): Promise<CampaignDto> {
    await this.campaigns.update(id, userId, dto);
    return this.lists.getCampaign(id);
  }

  @Delete('campaigns/:id')
  @CampaignAccess()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a draft' })
  @ApiNoContentResponse()
  @ApiErrors(campaignErrors.CAMPAIGN_NOT_DRAFT)
  delete(@CurrentCampaign() { id }: ViewedCampaign): Promise<void> {
    return this.campaigns.delete(id);
  }

  @Get('campaigns/:id/progress')
  @CampaignReportAccess()
  @ApiOperation({ summary: 'Get the sending progress of a campaign' })
  @ApiOkResponse({ type: SendingProgressDto })
  progress(@CurrentReport() id: number): Promise<SendingProgressDto> {
    return this.lists.getProgress(id);
  }

  @Get('user/email-quota')
  @SignedIn()
  @ApiOperation({ summary: 'Get your email usage and limit for this month' })
  @ApiOkResponse({ type: EmailQuotaDto })
  quota(@CurrentViewer() { userId }: Viewer): Promise<EmailQuotaDto> {
    return this.quotas.getMonthlyQuota(userId);
  }

  @Get('email-quota')
  @SignedIn()
  @ApiOperation({ summary: 'The same as /api/user/email-quota' })
  @ApiOkResponse({ type: EmailQuotaDto })
  sameQuota(@CurrentViewer() { userId }: Viewer): Promise<EmailQuotaDto> {
    return this.quotas.getMonthlyQuota(userId);
  }
}
