import { applyDecorators, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowCrossSite, Public } from '../../../platform/http/access.decorator.js';
import { clientAddressOf } from '../../../platform/http/networks/client-network.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { ReceivedDto } from '../../billing/dto/billing.dto.js';
import { integrationErrors } from '../integrations.errors.js';
import { getSignatureHeader } from './webhook-signature.js';
import { webhookSourceInfo, type WebhookSource } from '../shared/sources.js';
import { WebhookIntakeService } from './webhook-intake.service.js';

const received: ReceivedDto = { received: true };

/** Decorators common to the webhooks of all senders. */
const WebhookRoute = (source: WebhookSource, summary: string) =>
  applyDecorators(
    Post(source),
    Public(),
    AllowCrossSite(),
    SkipThrottle(),
    ApiOperation({ summary }),
    ApiHeader({ name: webhookSourceInfo[source].signatureHeader, required: true }),
    ApiBody({ schema: { type: 'object', additionalProperties: true } }),
    ApiOkResponse({ type: ReceivedDto }),
    ApiErrors(
      integrationErrors.WEBHOOK_NOT_SIGNED,
      commonErrors.BODY_TOO_LARGE,
      commonErrors.UNSUPPORTED_TYPE,
      integrationErrors.INTEGRATION_NOT_CONFIGURED,
    ),
  );

/** Webhooks of the senders: deliveries are stored and answered at once, and processed by jobs. */
@ApiTags('webhooks')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly intake: WebhookIntakeService) {}

  @WebhookRoute('woocommerce', 'Receive signed orders of the shop')
  @HttpCode(200)
  @Consumes('application/json', 'application/x-www-form-urlencoded')
  async woocommerce(@Req() request: AppRequest): Promise<ReceivedDto> {
    if (isPing(request)) return received;
    const deliveryId = request.get('x-wc-webhook-delivery-id');
    return this.storeDelivery('woocommerce', request, { deliveryId, event: request.get('x-wc-webhook-topic') });
  }

  @WebhookRoute('acedumy', 'Receive signed subscription events of the premium service')
  @HttpCode(200)
  acedumy(@Req() request: AppRequest): Promise<ReceivedDto> {
    return this.storeDelivery('acedumy', request);
  }

  @WebhookRoute('stripe-acedumy', 'Receive signed Stripe events about subscriptions to the premium service')
  @HttpCode(200)
  stripeAcedumy(@Req() request: AppRequest): Promise<ReceivedDto> {
    return this.storeDelivery('stripe-acedumy', request);
  }

  private async storeDelivery(
    source: WebhookSource,
    request: AppRequest,
    deliveryNames: { deliveryId?: string | undefined; event?: string | undefined } = {},
  ): Promise<ReceivedDto> {
    const signature = getSignatureHeader(source, (name) => request.get(name));
    await this.intake.storeDelivery(source, {
      body: getRawBody(request),
      signature,
      ...deliveryNames,
      ipAddress: clientAddressOf(request),
    });
    return received;
  }
}

const getRawBody = ({ body }: { body?: unknown }): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** WooCommerce sends this unsigned form when a webhook is created, and creates it only if the response is 200. */
function isPing(request: AppRequest): boolean {
  return (
    Boolean(request.is('application/x-www-form-urlencoded')) && /^webhook_id=\d+$/.test(getRawBody(request).toString())
  );
}
