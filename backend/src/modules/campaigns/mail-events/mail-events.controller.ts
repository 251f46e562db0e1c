import { createHmac } from 'node:crypto';
import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowCrossSite, Public } from '../../../platform/http/access.decorator.js';
import { clientAddressOf } from '../../../platform/http/networks/client-network.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { areDigestsEqual } from '../../../platform/security/secrets.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { campaignErrors } from '../campaigns.errors.js';
import { MailEventDto, MailEventsAnswerDto } from '../dto/mail-event.dto.js';
import { readMailEvents, MailEventsService } from './mail-events.service.js';

/** Receives what the mail server learns after it has accepted an email. */
@ApiTags('webhooks')
@Controller('api/webhooks')
export class MailEventsController {
  constructor(
    private readonly config: AppConfig,
    private readonly events: MailEventsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  @Post('mail-events')
  @Public()
  @AllowCrossSite()
  @HttpCode(200)
  @ApiOperation({ summary: 'Receive signed bounce and complaint reports; repeated reports have no further effect' })
  @ApiHeader({
    name: 'X-Mail-Events-Signature',
    required: true,
    description: 'Hex HMAC-SHA256 of the raw body with MAIL_EVENTS_SECRET',
  })
  @ApiBody({ type: [MailEventDto] })
  @ApiOkResponse({ type: MailEventsAnswerDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.MALFORMED_JSON)
  @ApiErrors(campaignErrors.SIGNATURE_INVALID, campaignErrors.MAIL_EVENTS_NOT_CONFIGURED)
  async take(
    @Req() request: Request,
    @Headers('x-mail-events-signature') signature: string | undefined,
  ): Promise<MailEventsAnswerDto> {
    const { mailEventsSecret: secret } = this.config;
    if (secret === null) throw campaignErrors.MAIL_EVENTS_NOT_CONFIGURED();
    const body = request.body as unknown;
    if (!Buffer.isBuffer(body) || !isSigned(body, secret, signature ?? '')) {
      const ipAddress = clientAddressOf(request);
      await this.securityEvents.recordRejection({ kind: 'webhook-refused', detail: 'mail-events', ipAddress });
      throw campaignErrors.SIGNATURE_INVALID();
    }
    return { accepted: await this.events.record(readMailEvents(body)) };
  }
}

const isSigned = (body: Buffer, secret: string, signature: string): boolean =>
  areDigestsEqual(createHmac('sha256', secret).update(body).digest('hex'), signature.toLowerCase());
