import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { planErrors } from '../plans/plans.errors.js';
import { CampaignAccess, CurrentCampaign, type ViewedCampaign } from './campaign-access.guard.js';
import { CampaignListService } from './campaign-list.service.js';
import { CampaignScheduleService } from './campaign-schedule.service.js';
import { CampaignSendingService } from './campaign-sending.service.js';
import { CampaignTestService } from './campaign-test.service.js';
import { campaignErrors } from './campaigns.errors.js';
import { CampaignDto, ScheduleDto, SendCampaignDto, SendPreviewDto } from './dto/campaign.dto.js';
import { TestMailDto } from './dto/preview.dto.js';
import { sendMailDocument } from './mail-document.js';

@ApiTags('campaigns')
@Controller('api/campaigns/:id')
export class SendingController {
  constructor(
    private readonly lists: CampaignListService,
    private readonly sending: CampaignSendingService,
    private readonly schedules: CampaignScheduleService,
    private readonly tests: CampaignTestService,
  ) {}

  @Post('send')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Send a draft to the members' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiBody({ type: SendCampaignDto, required: false })
  @ApiErrors(campaignErrors.CAMPAIGN_NOT_DRAFT, campaignErrors.NO_MEMBERS, campaignErrors.NO_RECIPIENTS)
  @ApiErrors(planErrors.PLAN_LIMIT, campaignErrors.CAMPAIGN_CHANGED, commonErrors.VALIDATION_FAILED)
  async send(
    @CurrentCampaign() { id, zone }: ViewedCampaign,
    @Body() { updatedAt }: SendCampaignDto,
  ): Promise<CampaignDto> {
    await this.sending.send(id, zone, updatedAt);
    return this.lists.one(id);
  }

  @Post('schedule')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Have a draft sent at a time' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_NOT_DRAFT, campaignErrors.CAMPAIGN_CHANGED)
  async schedule(@CurrentCampaign() { id }: ViewedCampaign, @Body() dto: ScheduleDto): Promise<CampaignDto> {
    await this.schedules.schedule(id, dto);
    return this.lists.one(id);
  }

  @Post('unschedule')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Make a draft of a scheduled campaign again' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async unschedule(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.schedules.unschedule(id);
    return this.lists.one(id);
  }

  @Post('pause')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Hold back the mails that are not on their way yet' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async pause(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.pause(id);
    return this.lists.one(id);
  }

  @Post('resume')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Go on with a paused campaign' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async resume(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.resume(id);
    return this.lists.one(id);
  }

  @Post('cancel')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'End a campaign; what was not sent is given back to the quota' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async cancel(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.cancel(id);
    return this.lists.one(id);
  }

  @Post('retry-failed')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Send once more to those whose mail failed' })
  @ApiOkResponse({ type: CampaignDto })
  @ApiErrors(campaignErrors.CAMPAIGN_STATE, campaignErrors.NOTHING_FAILED, planErrors.PLAN_LIMIT)
  async retryFailed(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.retryFailed(id);
    return this.lists.one(id);
  }

  @Post('test')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: 'Send the mail to yourself; counts for nothing' })
  @ApiOkResponse({ type: TestMailDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async test(@CurrentCampaign() { id }: ViewedCampaign, @CurrentViewer() { userId }: Viewer): Promise<TestMailDto> {
    return { sentTo: await this.tests.sendTest(id, userId) };
  }

  @Get('send-preview')
  @CampaignAccess()
  @ApiOperation({ summary: 'How many this campaign would reach, who is left out, and what is left of the quota' })
  @ApiOkResponse({ type: SendPreviewDto })
  async sendPreview(@CurrentCampaign() { id, zone }: ViewedCampaign): Promise<SendPreviewDto> {
    const { targetAudience } = await this.lists.one(id);
    return this.tests.sendPreview(zone, { targetAudience });
  }

  @Get('preview')
  @CampaignAccess()
  @ApiProduces('text/html')
  @ApiOperation({ summary: 'The mail as you would get it: a document that cannot run or send anything, for a frame' })
  @ApiOkResponse({ schema: { type: 'string' } })
  async preview(
    @CurrentCampaign() { id }: ViewedCampaign,
    @CurrentViewer() { userId }: Viewer,
    @Res() response: Response,
  ): Promise<void> {
    sendMailDocument(response, await this.tests.render(id, userId));
  }
}
