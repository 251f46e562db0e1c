import { getPlan, plans, soldPlanIds, type PlanId, type PlanLimits, type SoldPlanId } from './plan-catalogue.js';
import { freezeList } from '../../platform/constants/freeze-list.js';

export {
  billingIntervals,
  planIds,
  soldPlanIds,
  type BillingInterval,
  type PlanId,
  type SoldPlanId,
} from './plan-catalogue.js';

/** The sources of a user's plan: the subscription, a super admin's grant, and the installation's default. */
export interface PlanSources {
  readonly subscribedPlan: string;
  readonly grantedPlan: string | null;
  readonly defaultPlan: string;
}

/** Returns the largest of the subscribed, granted and default plans. */
export function getEffectivePlan({ subscribedPlan, grantedPlan, defaultPlan }: PlanSources): PlanId {
  return largestPlan(subscribedPlan, grantedPlan, defaultPlan);
}

/**
 * Returns the user's own plan regardless of the default: `users.plan`, so that a default is never mistaken for a grant.
 */
export function getOwnPlan({ subscribedPlan, grantedPlan }: Omit<PlanSources, 'defaultPlan'>): PlanId {
  return largestPlan(subscribedPlan, grantedPlan);
}

/** Returns the largest of some plans; null is no plan. */
export function largestPlan(...ids: (string | null)[]): PlanId {
  const ranks = ids.map((id) => plans.indexOf(getPlan(id ?? 'free')));
  return plans[Math.max(...ranks)]!.id;
}

/** The sources of a plan that is not paid for. */
type UnpaidPlanSources = Pick<PlanSources, 'grantedPlan' | 'defaultPlan'>;

/** Returns true if the user has a plan of at least this size without payment, so that buying it would add nothing. */
export function isCoveredWithoutPayment({ grantedPlan, defaultPlan }: UnpaidPlanSources, planId: PlanId): boolean {
  return largestPlan(grantedPlan, defaultPlan, planId) === largestPlan(grantedPlan, defaultPlan);
}

/**
 * Returns the limits that apply.
 * @param agreed the limits agreed for enterprise, null where there is none; other plans have their own
 */
export function getPlanLimits(planId: string, agreed: PlanLimits | null, isSuperAdmin: boolean): PlanLimits {
  // Super admins run the installation and already pay for it.
  if (isSuperAdmin) return getPlan('enterprise').limits;
  const plan = getPlan(planId);
  return plan.id === 'enterprise' && agreed ? agreed : plan.limits;
}

/** Returns the maximum size of one file in bytes, as far as the plan decides it. */
export function getMaxFileBytes(planId: string, isSuperAdmin: boolean): number {
  return getPlan(isSuperAdmin ? 'enterprise' : planId).maxFileBytes;
}

interface Subscriber {
  readonly plan: string;
  readonly isSuperAdmin: boolean;
}

/** Returns true if a larger plan is offered: not on the largest plan, and not to super admins. */
export function canUpgrade({ plan, isSuperAdmin }: Subscriber): boolean {
  return !isSuperAdmin && getPlan(plan).id !== 'enterprise';
}

/** Returns the plans that may be bought: none if no upgrade is offered, and none that the user has without payment. */
export function listBuyablePlans(owner: Subscriber & UnpaidPlanSources): SoldPlanId[] {
  return canUpgrade(owner) ? soldPlanIds.filter((plan) => !isCoveredWithoutPayment(owner, plan)) : [];
}

/** Percentages of a limit at which owners are warned. */
export const WARNING_LEVELS = freezeList([80, 100]);
export type WarningLevel = (typeof WARNING_LEVELS)[number];

/** Returns the warning level for an amount, or null. @param allowed null means unlimited */
export function getWarningLevel(used: number, allowed: number | null): WarningLevel | null {
  if (allowed === null || used === 0) return null;
  if (used >= allowed) return 100;
  return used * 100 >= allowed * 80 ? 80 : null;
}

/** Returns the period of monthly metrics, such as "2026-11" (UTC). */
export function toMonth(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** Returns the display name of a plan. */
export function getPlanName(planId: string): string {
  return getPlan(planId).name;
}
