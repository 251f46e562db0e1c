import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowCrossSite, Public } from '../../../platform/http/access.decorator.js';
import { clientAddressOf } from '../../../platform/http/networks/client-network.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { billingErrors } from '../billing.errors.js';
import { ReceivedDto } from '../dto/billing.dto.js';
import { StripeWebhookService } from './stripe-webhook.service.js';

@ApiTags('webhooks')
@Controller('api/webhooks/stripe')
export class StripeWebhookController {
  constructor(private readonly webhooks: StripeWebhookService) {}

  @Post()
  @Public()
  @AllowCrossSite()
  @SkipThrottle()
  @HttpCode(200)
  @ApiOperation({ summary: 'Receive signed Stripe events' })
  @ApiHeader({ name: 'Stripe-Signature', required: true })
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @ApiOkResponse({ type: ReceivedDto })
  @ApiErrors(
    billingErrors.WEBHOOK_SIGNATURE,
    commonErrors.BODY_TOO_LARGE,
    commonErrors.UNSUPPORTED_TYPE,
    billingErrors.BILLING_NOT_CONFIGURED,
  )
  async receive(@Req() request: AppRequest, @Headers('stripe-signature') signature?: string): Promise<ReceivedDto> {
    const body: unknown = request.body;
    await this.webhooks.receiveDelivery(
      Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      signature ?? '',
      clientAddressOf(request),
    );
    return { received: true };
  }
}
