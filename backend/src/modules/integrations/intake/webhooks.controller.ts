import { applyDecorators, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CrossSite, Public } from '../../../platform/http/access.decorator.js';
import { addressOfClient } from '../../../platform/http/networks/client-network.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/reading/body-type.guard.js';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { ReceivedDto } from '../../billing/dto/billing.dto.js';
import { integrationErrors } from '../integrations.errors.js';
import { givenSignature } from './signature.js';
import { sourceFacts, type Source } from '../shared/sources.js';
import { WebhookIntakeService } from './webhook-intake.service.js';

const received: ReceivedDto = { received: true };

/** What the addresses of all senders have in common. */
const Webhook = (source: Source, summary: string) =>
  applyDecorators(
    Post(source),
    Public(),
    CrossSite(),
    SkipThrottle(),
    ApiOperation({ summary }),
    ApiHeader({ name: sourceFacts[source].signatureHeader, required: true }),
    ApiBody({ schema: { type: 'object', additionalProperties: true } }),
    ApiOkResponse({ type: ReceivedDto }),
    ApiErrors(
      integrationErrors.WEBHOOK_NOT_SIGNED,
      commonErrors.BODY_TOO_LARGE,
      commonErrors.UNSUPPORTED_TYPE,
      integrationErrors.INTEGRATION_NOT_CONFIGURED,
    ),
  );

/** Deliveries of the senders: kept and answered at once, processed by jobs. */
@ApiTags('webhooks')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly intake: WebhookIntakeService) {}

  @Webhook('woocommerce', 'Receive signed orders of the shop')
  @HttpCode(200)
  @Consumes('application/json', 'application/x-www-form-urlencoded')
  async woocommerce(@Req() request: AppRequest): Promise<ReceivedDto> {
    if (isPing(request)) return received;
    const deliveryId = request.get('x-wc-webhook-delivery-id');
    return this.receive('woocommerce', request, { deliveryId, event: request.get('x-wc-webhook-topic') });
  }

  @Webhook('acedumy', 'Receive signed subscription events of the premium service')
  @HttpCode(200)
  acedumy(@Req() request: AppRequest): Promise<ReceivedDto> {
    return this.receive('acedumy', request);
  }

  @Webhook('stripe-acedumy', 'Receive signed Stripe events about subscriptions to the premium service')
  @HttpCode(200)
  stripeAcedumy(@Req() request: AppRequest): Promise<ReceivedDto> {
    return this.receive('stripe-acedumy', request);
  }

  private async receive(
    source: Source,
    request: AppRequest,
    named: { deliveryId?: string | undefined; event?: string | undefined } = {},
  ): Promise<ReceivedDto> {
    const signature = givenSignature(source, (name) => request.get(name));
    await this.intake.receive(source, {
      body: bodyOf(request),
      signature,
      ...named,
      ipAddress: addressOfClient(request),
    });
    return received;
  }
}

const bodyOf = ({ body }: { body?: unknown }): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** What the shop sends when a webhook is made: an unsigned form. It wants 200, or it makes no webhook. */
function isPing(request: AppRequest): boolean {
  return (
    Boolean(request.is('application/x-www-form-urlencoded')) && /^webhook_id=\d+$/.test(bodyOf(request).toString())
  );
}
