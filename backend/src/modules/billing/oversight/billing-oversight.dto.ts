import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { say } from '../../../platform/http/reading/validation.js';
import { eventOutcomes, type EventOutcome } from '../entities/billing-account.entity.js';

export class StripeEventQueryDto extends AdminListQueryDto {
  @IsOptional()
  @IsIn(eventOutcomes, say('This outcome is not known.', 'Bu sonuç bilinmiyor.'))
  @ApiProperty({ enum: eventOutcomes, required: false })
  outcome?: EventOutcome;
}

/** An event that Stripe delivered with a right signature. */
export class StripeEventDto {
  id: string;
  type: string;
  @ApiProperty({ enum: eventOutcomes })
  outcome: EventOutcome;
  /** Whose customer it names; null when it is nobody's here. */
  userId: number | null;
  userEmail: string | null;
  receivedAt: Date;
}

/** Somebody who pays more than once. */
export class SeveralSubscriptionsDto {
  userId: number;
  email: string;
  /** Subscriptions that live at once. */
  live: number;
}

/** What administrators must look at in billing. */
export class BillingOversightDto {
  /** Whether plans are sold, and whether events are taken. */
  isConfigured: boolean;
  takesEvents: boolean;
  /** At most 100. */
  @ApiProperty({ type: [SeveralSubscriptionsDto] })
  severalSubscriptions: SeveralSubscriptionsDto[];
  /** Deliveries that were refused for a missing or wrong signature in the last 30 days. */
  refused: number;
  lastRefusedAt: Date | null;
  lastReceivedAt: Date | null;
}
