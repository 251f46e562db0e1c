import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../platform/config/app-config.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, Public, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { PlanDto, UsageDto } from './dto/plan.dto.js';
import { UsageReportService } from './usage-report.service.js';
import { billingIntervals, plans, soldPlanIds, type Plan, type SoldPlanId } from './plan-catalogue.js';

@ApiTags('plans')
@Controller('api')
export class PlansController {
  constructor(
    private readonly config: AppConfig,
    private readonly usage: UsageReportService,
  ) {}

  @Get('plans')
  @Public()
  @ApiOperation({ summary: "List the plans with prices, limits and availability; empty where plans aren't sold" })
  @ApiOkResponse({ type: [PlanDto] })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  plans(): PlanDto[] {
    return this.config.isBillingEnabled ? toPlanList(this.config) : [];
  }

  @Get('user/usage')
  @SignedIn()
  @ApiOperation({ summary: 'Get the usage of your plan' })
  @ApiOkResponse({ type: [UsageDto] })
  used(@CurrentViewer() { userId }: Viewer): Promise<UsageDto[]> {
    return this.usage.getUsage(userId);
  }
}

/** Returns the plans for visitors, with the intervals that can be bought in this installation. */
export function toPlanList(config: AppConfig): PlanDto[] {
  return plans.map((plan) => ({
    ...plan,
    maxFileBytes: Math.min(plan.maxFileBytes, config.maxFileBytes),
    features: [...plan.features],
    currency: 'USD',
    monthlyPriceText: formatPrice(plan.monthlyPrice),
    yearlyPriceText: formatPrice(plan.yearlyPrice),
    intervals: billingIntervals.filter(
      (interval) => isSoldPlan(plan) && getPriceId(config, plan.id, interval) !== null,
    ),
    contactEmail: plan.monthlyPrice === null ? config.contactEmail : null,
  }));
}

function isSoldPlan(plan: Plan): plan is Plan & { id: SoldPlanId } {
  return (soldPlanIds as readonly string[]).includes(plan.id);
}

function getPriceId({ stripe }: AppConfig, plan: SoldPlanId, interval: 'monthly' | 'yearly'): string | null {
  return stripe.secretKey === null ? null : stripe.prices[plan][interval];
}

/** Returns "$3.99", "$39.90" or "$0". */
function formatPrice(cents: number | null): string | null {
  if (cents === null) return null;
  return `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`;
}
