import { planOf, plans, soldPlanIds, type PlanId, type PlanLimits, type SoldPlanId } from './plan-catalogue.js';
import { catalogue } from '../../platform/catalogue/catalogue.js';

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
export function effectivePlan({ subscribedPlan, grantedPlan, defaultPlan }: PlanSources): PlanId {
  return largest(subscribedPlan, grantedPlan, defaultPlan);
}

/** What somebody has of their own, whatever everybody has: `users.plan`, so that no default is ever taken for a grant. */
export function ownPlan({ subscribedPlan, grantedPlan }: Omit<PlanSources, 'defaultPlan'>): PlanId {
  return largest(subscribedPlan, grantedPlan);
}

function largest(...ids: (string | null)[]): PlanId {
  const ranks = ids.map((id) => plans.indexOf(planOf(id ?? 'free')));
  return plans[Math.max(...ranks)]!.id;
}

/** What decides whether a plan is had without payment. */
type Unpaid = Pick<PlanSources, 'grantedPlan' | 'defaultPlan'>;

/** True when what is had without payment is as large as a plan: buying that would bring nothing. */
export function coveredUnpaid({ grantedPlan, defaultPlan }: Unpaid, planId: PlanId): boolean {
  return largest(grantedPlan, defaultPlan, planId) === largest(grantedPlan, defaultPlan);
}

/**
 * What somebody may use.
 * @param agreed the figures agreed on for enterprise, null where there is no limit; other plans have their own
 */
export function limitsOf(planId: string, agreed: PlanLimits | null, isSuperAdmin: boolean): PlanLimits {
  // Whoever runs the installation pays for it already.
  if (isSuperAdmin) return planOf('enterprise').limits;
  const plan = planOf(planId);
  return plan.id === 'enterprise' && agreed ? agreed : plan.limits;
}

interface Subscriber {
  readonly plan: string;
  readonly isSuperAdmin: boolean;
}

/** Whether a larger plan is offered: not on the top plan, and not to super admins. */
export function mayUpgrade({ plan, isSuperAdmin }: Subscriber): boolean {
  return !isSuperAdmin && planOf(plan).id !== 'enterprise';
}

/** The plans that may be bought: none is sold to whom none is offered, nor one that is had without payment. */
export function buyable(owner: Subscriber & Unpaid): SoldPlanId[] {
  return mayUpgrade(owner) ? soldPlanIds.filter((plan) => !coveredUnpaid(owner, plan)) : [];
}

/** A part of a limit that is worth a warning. */
export const WARNING_LEVELS = catalogue([80, 100]);
export type WarningLevel = (typeof WARNING_LEVELS)[number];

/** The warning that an amount deserves, or null. @param allowed null without a limit */
export function warningOf(used: number, allowed: number | null): WarningLevel | null {
  if (allowed === null || used === 0) return null;
  if (used >= allowed) return 100;
  return used * 100 >= allowed * 80 ? 80 : null;
}

/** "2026-11": the period of what is counted by calendar month, UTC. */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** The name of a plan for people. */
export function planName(planId: string): string {
  return planOf(planId).name;
}
