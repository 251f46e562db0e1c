import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { say } from '../../../platform/http/validation.js';
import {
  billingIntervals,
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

export class SubscriptionDto {
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
  @ApiProperty({ enum: ['free', 'starter', 'creator', 'pro-creator', 'enterprise'] })
  plan: PlanId;
  planName: string;
  /** As Stripe names it; active for whoever has no subscription. */
  subscriptionStatus: string;
  /** null when nothing is subscribed to. */
  @ApiProperty({ type: SubscriptionDto, nullable: true })
  subscription: SubscriptionDto | null;
  /** By what a paid plan is held: a subscription, or an agreement with the people who run this installation. */
  @ApiProperty({ enum: ['subscription', 'agreement'], nullable: true, type: String })
  heldBy: 'subscription' | 'agreement' | null;
  /** Whom to write to about a plan by agreement. */
  contactEmail: string | null;
  can: BillingAbilitiesDto;
}

export class ReceivedDto {
  received: boolean;
}
