import { ApiProperty } from '@nestjs/swagger';
import { sources, type Source } from '../shared/sources.js';
import type { TroubleKind } from '../troubles/order-trouble.entity.js';

/** Orders of one sender that have not opened anything. */
export class TroubledOrdersDto {
  @ApiProperty({ enum: sources })
  source: Source;
  @ApiProperty({ enum: ['failed', 'waiting'] satisfies TroubleKind[] })
  kind: Exclude<TroubleKind, 'decide'>;
  count: number;
  /** Time of the oldest order. */
  since: Date;
}

/** A sender that has not been heard of for three times its usual interval. */
export class SilentSenderDto {
  @ApiProperty({ enum: sources })
  source: Source;
  lastReceivedAt: Date;
}

export class IntegrationAttentionDto {
  @ApiProperty({ type: [TroubledOrdersDto] })
  orders: TroubledOrdersDto[];
  @ApiProperty({ type: [SilentSenderDto] })
  silences: SilentSenderDto[];
}
