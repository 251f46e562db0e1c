import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import {
  billingIntervals,
  planIds,
  soldPlanIds,
  type BillingInterval,
  type PlanId,
  type SoldPlanId,
} from '../../plans/plan.policy.js';

const planMessage = localized('Please choose a plan', 'Lütfen bir plan seçin');

export class CreateSubscriptionDto {
  /** starter, creator or pro-creator. */
  @IsString(planMessage)
  @MaxLength(50, planMessage)
  planId: string;

  @IsIn(billingIntervals, localized('Please choose monthly or yearly', 'Lütfen aylık veya yıllık seçin'))
  @ApiProperty({ enum: billingIntervals })
  billingInterval: BillingInterval;
}

export class AddressDto {
  /** URL of a page of the payment provider. */
  url: string;
}

export class CheckoutSessionDto {
  @ApiProperty({ enum: soldPlanIds })
  planId: SoldPlanId;
  @ApiProperty({ enum: ['open', 'complete', 'expired'] })
  status: 'open' | 'complete' | 'expired';
  paid: boolean;
}

/** The plan that the portal opens with; its start page if omitted. */
export class ManageSubscriptionDto {
  /** free opens the cancellation page. */
  @OptionalField()
  @IsIn(['free', ...soldPlanIds], planMessage)
  @ApiProperty({ enum: ['free', ...soldPlanIds], required: false })
  planId?: 'free' | SoldPlanId;

  /** Default: monthly. */
  @OptionalField()
  @IsIn(billingIntervals, localized('Please choose monthly or yearly', 'Lütfen aylık veya yıllık seçin'))
  @ApiProperty({ enum: billingIntervals, required: false })
  billingInterval?: BillingInterval;
}

export class SubscriptionDto {
  /** The plan it includes; free while unpaid. */
  @ApiProperty({ enum: planIds })
  plan: PlanId;
  /** Price per period in the smallest unit of the currency; null if there's no single price. */
  amount: number | null;
  /** ISO 4217 code, such as USD. */
  currency: string | null;
  /** It ends with the period and isn't renewed. */
  cancelAtPeriodEnd: boolean;
  /** Seconds since 1970; null if Stripe provides none. */
  currentPeriodEnd: number | null;
  @ApiProperty({ enum: billingIntervals, nullable: true, type: String })
  billingInterval: BillingInterval | null;
  /** Until when the plan is kept while a payment is outstanding. */
  pastDueUntil: Date | null;
}

export class BillingAbilitiesDto {
  /** Whether a larger plan is available. */
  upgrade: boolean;
  /** The plans that may be bought. */
  @ApiProperty({ enum: soldPlanIds, isArray: true })
  buy: SoldPlanId[];
  /** Whether Manage Subscription is shown. */
  manage: boolean;
}

export class SubscriptionStatusDto {
  @ApiProperty({ enum: planIds })
  plan: PlanId;
  planName: string;
  /** Stripe's status; active without a subscription. */
  subscriptionStatus: string;
  /** null without a subscription. */
  @ApiProperty({ type: SubscriptionDto, nullable: true })
  subscription: SubscriptionDto | null;
  /** Whether there are invoices. */
  hasInvoices: boolean;
  /** Source of the plan: a subscription or an agreement with the operator; null for the default plan. */
  @ApiProperty({ enum: ['subscription', 'agreement'], nullable: true, type: String })
  heldBy: 'subscription' | 'agreement' | null;
  /** Contact for individual plans. */
  contactEmail: string | null;
  can: BillingAbilitiesDto;
}

export class ReceivedDto {
  received: boolean;
}
