import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HOUR } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Public } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { MessageDto } from '../../auth/dto/responses.dto.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { MailSettingsDto, ReplyToLinkDto, ReplyToLinkStateDto } from '../dto/mail-settings.dto.js';
import { MailSettingsService } from './mail-settings.service.js';
import { replyToErrors } from './reply-to.errors.js';
import { ReplyToVerificationService } from './reply-to-verification.service.js';

const LINK_LIMIT: RateRule = { name: 'reply-to-ip', limit: 100, window: HOUR };

@ApiTags('campaigns')
@Controller('api')
export class ReplyToController {
  constructor(
    private readonly replyToVerification: ReplyToVerificationService,
    private readonly settings: MailSettingsService,
  ) {}

  @Post('zones/:id/mail-settings/reply-to-link')
  @ZoneAccess('sendCampaigns')
  @HttpCode(200)
  @ApiOperation({ summary: "Resend the confirmation link for the zone's reply-to address" })
  @ApiOkResponse({ type: MailSettingsDto })
  @ApiErrors(replyToErrors.NOTHING_TO_PROVE, replyToErrors.REPLY_TO_MAIL_LIMIT)
  async sendAgain(
    @CurrentZone() zone: AccessibleZone,
    @RequestLanguage() language: Language,
  ): Promise<MailSettingsDto> {
    await this.replyToVerification.resendLink(zone);
    return this.settings.getSettings(zone.id, language);
  }

  @Post('reply-to/check')
  @Public()
  @NetworkLimit(LINK_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Check the confirmation link for a reply-to address; changes nothing' })
  @ApiOkResponse({ type: ReplyToLinkStateDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  check(@Body() { token }: ReplyToLinkDto): Promise<ReplyToLinkStateDto> {
    return this.replyToVerification.getLinkDetails(token);
  }

  @Post('reply-to')
  @Public()
  @NetworkLimit(LINK_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Confirm a reply-to address with the emailed link' })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, authErrors.TOKEN_INVALID, commonErrors.TOO_MANY_REQUESTS)
  async prove(
    @Body() { token }: ReplyToLinkDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<MessageDto> {
    await this.replyToVerification.verifyAddress(token, getSessionOrigin(request).ipAddress);
    return {
      message: {
        en: "Replies to this zone's emails now go to this address.",
        tr: 'Bu bölgenin e-postalarına verilen yanıtlar artık bu adrese gelecek.',
      }[language],
    };
  }
}
