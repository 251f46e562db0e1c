import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { eventOutcomes, type EventOutcome } from '../entities/billing-account.entity.js';

export class StripeEventQueryDto extends AdminListQueryDto {
  @IsOptional()
  @IsIn(eventOutcomes, localized('Unknown outcome.', 'Bilinmeyen sonuç.'))
  @ApiProperty({ enum: eventOutcomes, required: false })
  outcome?: EventOutcome;
}

/** A Stripe event with a valid signature. */
export class StripeEventDto {
  id: string;
  type: string;
  @ApiProperty({ enum: eventOutcomes })
  outcome: EventOutcome;
  /** User of the Stripe customer; null if unknown here. */
  userId: number | null;
  userEmail: string | null;
  receivedAt: Date;
}

/** A user with more than one active subscription. */
export class SeveralSubscriptionsDto {
  userId: number;
  email: string;
  /** Number of active subscriptions. */
  live: number;
}

/** The state of billing, with problems that administrators must resolve. */
export class BillingOversightDto {
  /** Whether plans are sold, and whether webhooks are accepted. */
  isConfigured: boolean;
  takesEvents: boolean;
  /** At most 100. */
  @ApiProperty({ type: [SeveralSubscriptionsDto] })
  severalSubscriptions: SeveralSubscriptionsDto[];
  /** Webhooks rejected for a missing or wrong signature in the last 30 days. */
  refused: number;
  lastRefusedAt: Date | null;
  lastReceivedAt: Date | null;
}
