import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { billingIntervals, metrics, planFeatures, planIds } from '../plan-catalogue.js';
import type { BillingInterval, Metric, PlanFeature, PlanId, PlanLimits } from '../plan-catalogue.js';

/** null means unlimited, or agreed individually. */
export class PlanLimitsDto implements PlanLimits {
  zones: number | null;
  /** Distinct people in all of an owner's zones. */
  people: number | null;
  /** Stored bytes in all of an owner's zones. */
  bytes: number | null;
  /** Emails per calendar month (UTC). */
  mails: number | null;
  /** Emails per day (UTC) to people who aren't members yet: invitations and emails for joining by link. */
  invites: number | null;
}

export class PlanDto {
  @ApiProperty({ enum: planIds })
  id: PlanId;
  name: string;
  /** Currency of the prices: USD. */
  currency: string;
  /** In cents; null for individual agreements. */
  monthlyPrice: number | null;
  yearlyPrice: number | null;
  /** Formatted price, such as "$3.99". */
  monthlyPriceText: string | null;
  yearlyPriceText: string | null;
  limits: PlanLimitsDto;
  /** Maximum size of one file, in bytes. */
  maxFileBytes: number;
  @ApiProperty({ enum: planFeatures, isArray: true })
  features: PlanFeature[];
  popular: boolean;
  /** Billing intervals offered on this site. */
  @ApiProperty({ enum: billingIntervals, isArray: true })
  intervals: BillingInterval[];
  /** Contact for individual plans. */
  contactEmail: string | null;
}

/** A limit of the owner's plan and its usage. */
export class UsageDto {
  @ApiProperty({ enum: metrics })
  metric: Metric;
  /** Including storage reserved for running uploads. */
  used: number;
  /** null means unlimited. */
  allowed: number | null;
  /** 80 or 100 (percent) once that share is used; null below. */
  @ApiProperty({ enum: [80, 100], nullable: true, type: Number })
  warning: 80 | 100 | null;
}

const MAX_LIMIT = Number.MAX_SAFE_INTEGER;
const limitMessage = localized(
  'This must be a whole number, or null for no limit',
  'Bu değer bir tam sayı veya sınırsız için null olmalıdır',
);
const AgreedLimit = () => (target: object, key: string) => {
  for (const rule of [IsOptional(), IsInt(limitMessage), Min(0, limitMessage), Max(MAX_LIMIT, limitMessage)])
    rule(target, key);
};

/** Individually agreed limits; null or omitted means unlimited. */
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

const planMessage = localized("This plan doesn't exist", 'Böyle bir plan yok');
const limitsMessage = localized('The limits must be an object', 'Sınırlar bir nesne olmalıdır');

export class GrantPlanDto {
  /** `free` revokes a granted plan; a paid plan stays. */
  @IsIn(planIds, planMessage)
  @ApiProperty({ enum: planIds })
  plan: PlanId;

  /** For enterprise only. */
  @OptionalField()
  @ValidateNested(limitsMessage)
  @Type(() => AgreedLimitsDto)
  limits?: AgreedLimitsDto;
}

/** An owner's plan and its sources. */
export class OwnerPlanDto {
  userId: number;
  @ApiProperty({ enum: planIds })
  plan: PlanId;
  /** The paid plan; free without one. */
  subscribedPlan: string;
  /** The plan granted free of charge. */
  grantedPlan: string | null;
  /** The plan of accounts without a larger one. */
  defaultPlan: string;
  /** Maximum size of one file, in bytes; the installation may allow less. */
  maxFileBytes: number;
  limits: PlanLimitsDto;
}
