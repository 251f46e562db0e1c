import { Controller, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { sendAdminPage } from '../../../platform/http/lists/admin-list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { AcedumyWebhookDto, StripeAcedumyWebhookDto, WebhookLogQueryDto } from '../dto/webhook-log.dto.js';
import { DeliveryLogController, WebhookLogList } from './delivery-log.controller.js';
import { toCommonFields } from './webhook-log.service.js';

@ApiTags('acedumy')
@Controller('api/acedumy')
export class AcedumyController extends DeliveryLogController {
  protected readonly source = 'acedumy';

  @WebhookLogList(AcedumyWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AcedumyWebhookDto[]> {
    const { rows, total } = await this.webhookLog.listWebhooks(this.source, query, language);
    return sendAdminPage(response, {
      rows: rows.map((row) => ({ ...toCommonFields(row), subscriptionId: row.subscriptionId })),
      total,
    });
  }
}

@ApiTags('stripe-acedumy')
@Controller('api/stripe-acedumy')
export class StripeAcedumyController extends DeliveryLogController {
  protected readonly source = 'stripe-acedumy';

  @WebhookLogList(StripeAcedumyWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StripeAcedumyWebhookDto[]> {
    const { rows, total } = await this.webhookLog.listWebhooks(this.source, query, language);
    const presented = rows.map((row) => {
      const { subscriptionId, customerId, priceId, deliveryId: stripeEventId } = row;
      return {
        ...toCommonFields(row),
        subscriptionId,
        customerId,
        priceId,
        stripeEventId,
        plan: this.integrationInfo.findPremiumPlan(priceId),
      };
    });
    return sendAdminPage(response, { rows: presented, total });
  }
}
