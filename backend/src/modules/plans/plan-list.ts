import type { AppConfig } from '../../platform/config/app-config.js';
import type { PlanDto } from './dto/plan.dto.js';
import { billingIntervals, plans, soldPlanIds, type Plan, type SoldPlanId } from './plan-catalogue.js';

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
