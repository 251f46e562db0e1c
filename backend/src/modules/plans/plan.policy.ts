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

/** What decides somebody's plan: what they pay for, what a super admin has granted, and what everybody has here. */
export interface PlanSources {
  readonly subscribedPlan: string;
  readonly grantedPlan: string | null;
  readonly defaultPlan: string;
}

/** The largest of what is paid for, what is granted, and what everybody has. */
export function getEffectivePlan({ subscribedPlan, grantedPlan, defaultPlan }: PlanSources): PlanId {
  return largestPlan(subscribedPlan, grantedPlan, defaultPlan);
}

/** What somebody has of their own, whatever everybody has: `users.plan`, so that no default is ever taken for a grant. */
export function getOwnPlan({ subscribedPlan, grantedPlan }: Omit<PlanSources, 'defaultPlan'>): PlanId {
  return largestPlan(subscribedPlan, grantedPlan);
}

function largestPlan(...ids: (string | null)[]): PlanId {
  const ranks = ids.map((id) => plans.indexOf(getPlan(id ?? 'free')));
  return plans[Math.max(...ranks)]!.id;
}

/** What decides whether a plan is had without payment. */
type UnpaidPlanSources = Pick<PlanSources, 'grantedPlan' | 'defaultPlan'>;

/** True when what is had without payment is as large as a plan: buying that would bring nothing. */
export function isCoveredWithoutPayment({ grantedPlan, defaultPlan }: UnpaidPlanSources, planId: PlanId): boolean {
  return largestPlan(grantedPlan, defaultPlan, planId) === largestPlan(grantedPlan, defaultPlan);
}

/**
 * What somebody may use.
 * @param agreed the figures agreed on for enterprise, null where there is no limit; other plans have their own
 */
export function getPlanLimits(planId: string, agreed: PlanLimits | null, isSuperAdmin: boolean): PlanLimits {
  // Whoever runs the installation pays for it already.
  if (isSuperAdmin) return getPlan('enterprise').limits;
  const plan = getPlan(planId);
  return plan.id === 'enterprise' && agreed ? agreed : plan.limits;
}

interface Subscriber {
  readonly plan: string;
  readonly isSuperAdmin: boolean;
}

/** Whether a larger plan is offered: not on the top plan, and not to super admins. */
export function canUpgrade({ plan, isSuperAdmin }: Subscriber): boolean {
  return !isSuperAdmin && getPlan(plan).id !== 'enterprise';
}

/** The plans that may be bought: none is sold to whom none is offered, nor one that is had without payment. */
export function listBuyablePlans(owner: Subscriber & UnpaidPlanSources): SoldPlanId[] {
  return canUpgrade(owner) ? soldPlanIds.filter((plan) => !isCoveredWithoutPayment(owner, plan)) : [];
}

/** A part of a limit that is worth a warning. */
export const WARNING_LEVELS = freezeList([80, 100]);
export type WarningLevel = (typeof WARNING_LEVELS)[number];

/** The warning that an amount deserves, or null. @param allowed null without a limit */
export function getWarningLevel(used: number, allowed: number | null): WarningLevel | null {
  if (allowed === null || used === 0) return null;
  if (used >= allowed) return 100;
  return used * 100 >= allowed * 80 ? 80 : null;
}

/** "2026-11": the period of what is counted by calendar month, UTC. */
export function toMonth(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** The name of a plan for people. */
export function getPlanName(planId: string): string {
  return getPlan(planId).name;
}
