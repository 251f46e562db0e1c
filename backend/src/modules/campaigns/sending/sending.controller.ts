import { applyDecorators, Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CampaignAccess, CurrentCampaign, type ViewedCampaign } from '../access/campaign-access.guard.js';
import { CampaignListService } from '../drafts/campaign-list.service.js';
import { TestEmailService } from '../drafts/test-email.service.js';
import { CampaignScheduleService } from './campaign-schedule.service.js';
import { CampaignSendingService } from './campaign-sending.service.js';
import { CampaignPreviewService, sendEmailDocument } from '../drafts/campaign-preview.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import { CampaignDto, ScheduleDto, SendCampaignDto, SendPreviewDto } from '../dto/campaign.dto.js';
import { TestMailDto } from '../dto/template.dto.js';

/** Route for an action on a campaign; responds with the updated campaign. */
const CampaignAction = (path: string, summary: string) =>
  applyDecorators(
    Post(path),
    CampaignAccess(),
    HttpCode(200),
    ApiOperation({ summary }),
    ApiOkResponse({ type: CampaignDto }),
  );

@ApiTags('campaigns')
@Controller('api/campaigns/:id')
export class SendingController {
  constructor(
    private readonly lists: CampaignListService,
    private readonly sending: CampaignSendingService,
    private readonly campaignSchedule: CampaignScheduleService,
    private readonly previews: CampaignPreviewService,
    private readonly testEmails: TestEmailService,
  ) {}

  @CampaignAction('send', "Send a draft, or a scheduled campaign that couldn't start, to the members")
  @ApiBody({ type: SendCampaignDto, required: false })
  @ApiErrors(campaignErrors.CAMPAIGN_NOT_DRAFT, campaignErrors.NO_MEMBERS, campaignErrors.NO_RECIPIENTS)
  @ApiErrors(planErrors.PLAN_LIMIT, campaignErrors.CAMPAIGN_CHANGED, commonErrors.VALIDATION_FAILED)
  async send(
    @CurrentCampaign() { id, zone }: ViewedCampaign,
    @Body() { updatedAt }: SendCampaignDto,
  ): Promise<CampaignDto> {
    await this.sending.send(id, zone, updatedAt);
    return this.lists.getCampaign(id);
  }

  @CampaignAction('schedule', 'Schedule a draft')
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_NOT_DRAFT, campaignErrors.CAMPAIGN_CHANGED)
  async schedule(@CurrentCampaign() { id }: ViewedCampaign, @Body() dto: ScheduleDto): Promise<CampaignDto> {
    await this.campaignSchedule.schedule(id, dto);
    return this.lists.getCampaign(id);
  }

  @CampaignAction('unschedule', 'Turn a scheduled campaign back into a draft')
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async unschedule(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.campaignSchedule.unschedule(id);
    return this.lists.getCampaign(id);
  }

  @CampaignAction('pause', 'Pause a campaign; emails that are already being sent still go out')
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async pause(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.pause(id);
    return this.lists.getCampaign(id);
  }

  @CampaignAction('resume', 'Resume a paused campaign')
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async resume(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.resume(id);
    return this.lists.getCampaign(id);
  }

  @CampaignAction('cancel', 'Cancel a campaign; unsent emails no longer count towards the limit')
  @ApiErrors(campaignErrors.CAMPAIGN_STATE)
  async cancel(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.cancel(id);
    return this.lists.getCampaign(id);
  }

  @CampaignAction('retry-failed', 'Resend a campaign to the recipients for whom it failed')
  @ApiErrors(campaignErrors.CAMPAIGN_STATE, campaignErrors.NOTHING_FAILED, planErrors.PLAN_LIMIT)
  async retryFailed(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignDto> {
    await this.sending.retryFailed(id);
    return this.lists.getCampaign(id);
  }

  @Post('test')
  @CampaignAccess()
  @HttpCode(200)
  @ApiOperation({ summary: "Send a test email to yourself; doesn't count towards the limit" })
  @ApiOkResponse({ type: TestMailDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  async test(@CurrentCampaign() { id }: ViewedCampaign, @CurrentViewer() { userId }: Viewer): Promise<TestMailDto> {
    return { sentTo: await this.testEmails.enqueueTestEmail(id, userId) };
  }

  @Get('send-preview')
  @CampaignAccess()
  @ApiOperation({
    summary: 'Get the number of recipients, who is left out, and the remaining emails for this campaign',
  })
  @ApiOkResponse({ type: SendPreviewDto })
  async sendPreview(@CurrentCampaign() { id, zone }: ViewedCampaign): Promise<SendPreviewDto> {
    const { targetAudience } = await this.lists.getCampaign(id);
    return this.previews.previewRecipients(zone, { targetAudience });
  }

  @Get('preview')
  @CampaignAccess()
  @ApiProduces('text/html')
  @ApiOperation({ summary: 'Preview the email as you would get it: a document without scripts, for a frame' })
  @ApiOkResponse({ schema: { type: 'string' } })
  async preview(
    @CurrentCampaign() { id }: ViewedCampaign,
    @CurrentViewer() { userId }: Viewer,
    @Res() response: Response,
  ): Promise<void> {
    sendEmailDocument(response, await this.previews.renderCampaign(id, userId));
  }
}
