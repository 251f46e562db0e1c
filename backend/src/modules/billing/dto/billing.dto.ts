import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { Optional } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import {
  billingIntervals,
  planIds,
  soldPlanIds,
  type BillingInterval,
  type PlanId,
  type SoldPlanId,
} from '../../plans/plan.policy.js';

const knownPlan = say('Please choose a plan', 'Lütfen bir plan seçin');

export class CreateSubscriptionDto {
  /** starter, creator or pro-creator. */
  @IsString(knownPlan)
  @MaxLength(50, knownPlan)
  planId: string;

  @IsIn(billingIntervals, say('Please choose monthly or yearly', 'Lütfen aylık veya yıllık seçin'))
  @ApiProperty({ enum: billingIntervals })
  billingInterval: BillingInterval;
}

export class AddressDto {
  /** Where the browser goes: a page of the payment provider. */
  url: string;
}

export class CheckoutSessionDto {
  @ApiProperty({ enum: soldPlanIds })
  planId: SoldPlanId;
  @ApiProperty({ enum: ['open', 'complete', 'expired'] })
  status: 'open' | 'complete' | 'expired';
  paid: boolean;
}

/** At which plan the portal opens; nothing for its first page. */
export class ManageSubscriptionDto {
  /** free leads to cancelling. */
  @Optional()
  @IsIn(['free', ...soldPlanIds], knownPlan)
  @ApiProperty({ enum: ['free', ...soldPlanIds], required: false })
  planId?: 'free' | SoldPlanId;

  /** monthly unless told. */
  @Optional()
  @IsIn(billingIntervals, say('Please choose monthly or yearly', 'Lütfen aylık veya yıllık seçin'))
  @ApiProperty({ enum: billingIntervals, required: false })
  billingInterval?: BillingInterval;
}

export class SubscriptionDto {
  /** What it gives; free while it is not paid. */
  @ApiProperty({ enum: planIds })
  plan: PlanId;
  /** What a period costs, in the smallest unit of the currency; null when there is no one price. */
  amount: number | null;
  /** As ISO 4217 has it: USD. */
  currency: string | null;
  /** It ends with the period, and is not renewed. */
  cancelAtPeriodEnd: boolean;
  /** Seconds since 1970; null when Stripe names none. */
  currentPeriodEnd: number | null;
  @ApiProperty({ enum: billingIntervals, nullable: true, type: String })
  billingInterval: BillingInterval | null;
  /** A payment is owed: until then the plan is kept. */
  pastDueUntil: Date | null;
}

export class BillingAbilitiesDto {
  /** A larger plan is offered. */
  upgrade: boolean;
  /** The plans that may be bought. */
  @ApiProperty({ enum: soldPlanIds, isArray: true })
  buy: SoldPlanId[];
  /** Manage Subscription is shown. */
  manage: boolean;
}

export class SubscriptionStatusDto {
  @ApiProperty({ enum: planIds })
  plan: PlanId;
  planName: string;
  /** As Stripe names it; active for whoever has no subscription. */
  subscriptionStatus: string;
  /** null when nothing is subscribed to. */
  @ApiProperty({ type: SubscriptionDto, nullable: true })
  subscription: SubscriptionDto | null;
  /** Something was paid, or is owed, now or before. */
  hasInvoices: boolean;
  /** By what a plan is held: a subscription, or an agreement with the people who run this installation; null when everybody has it. */
  @ApiProperty({ enum: ['subscription', 'agreement'], nullable: true, type: String })
  heldBy: 'subscription' | 'agreement' | null;
  /** Whom to write to about a plan by agreement. */
  contactEmail: string | null;
  can: BillingAbilitiesDto;
}

export class ReceivedDto {
  received: boolean;
}
