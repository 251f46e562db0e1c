import { ApiProperty } from '@nestjs/swagger';
import { webhookSources, type WebhookSource } from '../shared/sources.js';
import type { OrderIssueKind } from '../failed-orders/order-issue.entity.js';

/** Orders of one sender that have not opened anything. */
export class TroubledOrdersDto {
  @ApiProperty({ enum: webhookSources })
  source: WebhookSource;
  @ApiProperty({ enum: ['failed', 'waiting'] satisfies OrderIssueKind[] })
  kind: Exclude<OrderIssueKind, 'decide'>;
  count: number;
  /** Time of the oldest order. */
  since: Date;
}

/** A sender that has not been heard of for three times its usual interval. */
export class SilentSenderDto {
  @ApiProperty({ enum: webhookSources })
  source: WebhookSource;
  lastReceivedAt: Date;
}

export class IntegrationAttentionDto {
  @ApiProperty({ type: [TroubledOrdersDto] })
  orders: TroubledOrdersDto[];
  @ApiProperty({ type: [SilentSenderDto] })
  silences: SilentSenderDto[];
}
