import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../platform/config/app-config.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, Public, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/reading/viewer.js';
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
    return this.config.sells ? planList(this.config) : [];
  }

  @Get('user/usage')
  @SignedIn()
  @ApiOperation({ summary: 'Get the usage of your plan' })
  @ApiOkResponse({ type: [UsageDto] })
  used(@CurrentViewer() { userId }: Viewer): Promise<UsageDto[]> {
    return this.usage.of(userId);
  }
}

/** The catalogue as visitors see it, with what can be bought in this installation. */
export function planList(config: AppConfig): PlanDto[] {
  return plans.map((plan) => ({
    ...plan,
    features: [...plan.features],
    currency: 'USD',
    monthlyPriceText: priceText(plan.monthlyPrice),
    yearlyPriceText: priceText(plan.yearlyPrice),
    intervals: billingIntervals.filter((interval) => isSold(plan) && priceId(config, plan.id, interval) !== null),
    contactEmail: plan.monthlyPrice === null ? config.contactEmail : null,
  }));
}

function isSold(plan: Plan): plan is Plan & { id: SoldPlanId } {
  return (soldPlanIds as readonly string[]).includes(plan.id);
}

function priceId({ stripe }: AppConfig, plan: SoldPlanId, interval: 'monthly' | 'yearly'): string | null {
  return stripe.secretKey === null ? null : stripe.prices[plan][interval];
}

/** "$3.99", "$39.90", "$0". */
function priceText(cents: number | null): string | null {
  if (cents === null) return null;
  return `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`;
}
