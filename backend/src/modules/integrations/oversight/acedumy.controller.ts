import { Controller, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { sendAdminPage } from '../../../platform/http/lists/admin-list.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { AcedumyWebhookDto, StripeAcedumyWebhookDto, WebhookLogQueryDto } from '../dto/webhook-log.dto.js';
import { DeliveryLogController, LogList } from './delivery-log.controller.js';
import { common } from './webhook-log.service.js';

@ApiTags('acedumy')
@Controller('api/acedumy')
export class AcedumyController extends DeliveryLogController {
  protected readonly source = 'acedumy';

  @LogList(AcedumyWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AcedumyWebhookDto[]> {
    const { rows, total } = await this.log.list(this.source, query, language);
    return sendAdminPage(response, {
      rows: rows.map((row) => ({ ...common(row), subscriptionId: row.subscriptionId })),
      total,
    });
  }
}

@ApiTags('stripe-acedumy')
@Controller('api/stripe-acedumy')
export class StripeAcedumyController extends DeliveryLogController {
  protected readonly source = 'stripe-acedumy';

  @LogList(StripeAcedumyWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StripeAcedumyWebhookDto[]> {
    const { rows, total } = await this.log.list(this.source, query, language);
    const shown = rows.map((row) => {
      const { subscriptionId, customerId, priceId, deliveryId: stripeEventId } = row;
      return { ...common(row), subscriptionId, customerId, priceId, stripeEventId, plan: this.infos.planOf(priceId) };
    });
    return sendAdminPage(response, { rows: shown, total });
  }
}
