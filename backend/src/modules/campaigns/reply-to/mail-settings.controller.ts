import { Delete, Get, Put, Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { campaignErrors } from '../campaigns.errors.js';
import { MailSettingsDto, UpdateMailSettingsDto } from '../dto/mail-settings.dto.js';
import { SuppressedMemberDto, LiftedDto, LiftSuppressionsDto } from '../dto/report.dto.js';
import { MailSettingsService } from './mail-settings.service.js';
import { RecipientService } from '../audience/recipient.service.js';

@ApiTags('campaigns')
@Controller('api/zones/:id')
export class MailSettingsController {
  constructor(
    private readonly settings: MailSettingsService,
    private readonly recipients: RecipientService,
  ) {}

  @Get('mail-settings')
  @ZoneAccess('sendCampaigns')
  @ApiOperation({ summary: "Get a zone's sender settings and welcome email" })
  @ApiOkResponse({ type: MailSettingsDto })
  one(@CurrentZone() { id }: AccessibleZone, @RequestLanguage() language: Language): Promise<MailSettingsDto> {
    return this.settings.getSettings(id, language);
  }

  @Put('mail-settings')
  @ZoneAccess('sendCampaigns')
  @ApiOperation({ summary: "Change a zone's sender settings and welcome email; omitted fields are kept" })
  @ApiOkResponse({ type: MailSettingsDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, campaignErrors.CAMPAIGN_TOO_LARGE)
  async update(
    @CurrentZone() zone: AccessibleZone,
    @Body() dto: UpdateMailSettingsDto,
    @RequestLanguage() language: Language,
  ): Promise<MailSettingsDto> {
    await this.settings.updateSettings(zone, dto, language);
    return this.settings.getSettings(zone.id, language);
  }

  @Get('suppressed-members')
  @ZoneAccess('sendCampaigns')
  @ApiOperation({ summary: "List members who don't receive your emails because of bounces or spam complaints" })
  @ApiOkResponse({ type: [SuppressedMemberDto] })
  suppressedMembers(@CurrentZone() zone: AccessibleZone): Promise<SuppressedMemberDto[]> {
    return this.recipients.listSuppressedMembers(zone);
  }

  @Delete('suppressed-members/:userId')
  @ZoneAccess('sendCampaigns')
  @HttpCode(204)
  @ApiOperation({ summary: 'Resume sending to a bounced address; not possible after a spam complaint' })
  @ApiNoContentResponse()
  @ApiErrors(campaignErrors.SUPPRESSION_NOT_FOUND)
  lift(@CurrentZone() zone: AccessibleZone, @IdParam('userId') userId: number): Promise<void> {
    return this.recipients.liftSuppression(zone, userId);
  }
}

@ApiTags('campaigns')
@Controller('api/zones/:id/suppressed-members/lift')
export class LiftSuppressionsController {
  constructor(private readonly recipients: RecipientService) {}

  @Post()
  @ZoneAccess('sendCampaigns')
  @HttpCode(200)
  @ApiOperation({ summary: 'Resume sending to several bounced addresses' })
  @ApiOkResponse({ type: LiftedDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async lift(@CurrentZone() zone: AccessibleZone, @Body() { userIds }: LiftSuppressionsDto): Promise<LiftedDto> {
    return { lifted: await this.recipients.liftSuppressions(zone, userIds ?? null) };
  }
}
