import { ApiProperty } from '@nestjs/swagger';
import { webhookSources, type WebhookSource } from '../shared/sources.js';
import type { OrderIssueKind } from '../failed-orders/order-issue.entity.js';

/** A sender's orders that haven't given access yet. */
export class TroubledOrdersDto {
  @ApiProperty({ enum: webhookSources })
  source: WebhookSource;
  @ApiProperty({ enum: ['failed', 'waiting'] satisfies OrderIssueKind[] })
  kind: Exclude<OrderIssueKind, 'decide'>;
  count: number;
  /** Time of the oldest order. */
  since: Date;
}

/** A sender without deliveries for three times its usual interval. */
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
