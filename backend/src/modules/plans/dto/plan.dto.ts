import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Optional } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';
import { billingIntervals, metrics, planFeatures, planIds } from '../plan-catalogue.js';
import type { BillingInterval, Metric, PlanFeature, PlanId, PlanLimits } from '../plan-catalogue.js';

/** null is unlimited, or agreed on for one customer. */
export class PlanLimitsDto implements PlanLimits {
  zones: number | null;
  /** Distinct people in all zones of an owner. */
  people: number | null;
  /** Stored bytes over all zones of an owner. */
  bytes: number | null;
  /** Mails a calendar month (UTC). */
  mails: number | null;
  /** Mails a day (UTC) to people who are not in a zone yet: invitations, and what joins by link cause. */
  invites: number | null;
}

export class PlanDto {
  @ApiProperty({ enum: planIds })
  id: PlanId;
  name: string;
  /** Of the prices: USD. */
  currency: string;
  /** In cents; null when it is agreed on. */
  monthlyPrice: number | null;
  yearlyPrice: number | null;
  /** The price for people: "$3.99". */
  monthlyPriceText: string | null;
  yearlyPriceText: string | null;
  limits: PlanLimitsDto;
  @ApiProperty({ enum: planFeatures, isArray: true })
  features: PlanFeature[];
  popular: boolean;
  /** In which intervals it can be bought in this installation. */
  @ApiProperty({ enum: billingIntervals, isArray: true })
  intervals: BillingInterval[];
  /** Whom to write to about a plan that is agreed on. */
  contactEmail: string | null;
}

/** One limit of the owner's plan and how much of it is used. */
export class UsageDto {
  @ApiProperty({ enum: metrics })
  metric: Metric;
  /** With what is held for uploads under way. */
  used: number;
  /** null is unlimited. */
  allowed: number | null;
  /** 80 or 100 (per cent) once that much is used; null below. */
  @ApiProperty({ enum: [80, 100], nullable: true, type: Number })
  warning: 80 | 100 | null;
}

const HIGHEST = Number.MAX_SAFE_INTEGER;
const wholeNumber = say(
  'This must be a whole number, or null for no limit',
  'Bu değer bir tam sayı veya sınırsız için null olmalıdır',
);
const AgreedLimit = () => (target: object, key: string) => {
  for (const rule of [IsOptional(), IsInt(wholeNumber), Min(0, wholeNumber), Max(HIGHEST, wholeNumber)])
    rule(target, key);
};

/** The figures agreed on; what is null or left out has no limit. */
export class AgreedLimitsDto {
  @AgreedLimit()
  @ApiProperty({ type: Number, nullable: true, required: false })
  zones?: number | null;

  @AgreedLimit()
  @ApiProperty({ type: Number, nullable: true, required: false })
  people?: number | null;

  @AgreedLimit()
  @ApiProperty({ type: Number, nullable: true, required: false })
  bytes?: number | null;

  @AgreedLimit()
  @ApiProperty({ type: Number, nullable: true, required: false })
  mails?: number | null;

  @AgreedLimit()
  @ApiProperty({ type: Number, nullable: true, required: false })
  invites?: number | null;
}

const knownPlan = say('There is no such plan', 'Böyle bir plan yok');
const limitsWanted = say('The limits must be an object', 'Sınırlar bir nesne olmalıdır');

export class GrantPlanDto {
  /** `free` takes a granted plan back; a plan that is paid for stays. */
  @IsIn(planIds, knownPlan)
  @ApiProperty({ enum: planIds })
  plan: PlanId;

  /** For enterprise only. */
  @Optional()
  @ValidateNested(limitsWanted)
  @Type(() => AgreedLimitsDto)
  limits?: AgreedLimitsDto;
}

/** An owner's plan, and what it follows from. */
export class OwnerPlanDto {
  userId: number;
  @ApiProperty({ enum: planIds })
  plan: PlanId;
  /** The plan paid for; free when none is. */
  subscribedPlan: string;
  /** The plan granted without payment. */
  grantedPlan: string | null;
  /** The plan of whoever has no larger one. */
  defaultPlan: string;
  limits: PlanLimitsDto;
}
