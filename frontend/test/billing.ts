import type { Schema } from '../src/shared/api/client';

type SubscriptionStatus = Schema<'SubscriptionStatusDto'>;
type Plan = Schema<'PlanDto'>;

/** A subscription status; `changes` override single fields. */
export function makeSubscriptionStatus(changes: Partial<SubscriptionStatus> = {}): SubscriptionStatus {
  return {
    plan: 'free',
    planName: 'Always Free',
    subscriptionStatus: 'active',
    subscription: null,
    hasInvoices: false,
    heldBy: null,
    contactEmail: 'plans@example.org',
    can: { upgrade: true, buy: ['starter', 'creator', 'pro-creator'], manage: false },
    ...changes,
  };
}

/** The status of a user with the Creator plan. */
export function makeSubscribedStatus(
  subscription: Partial<NonNullable<SubscriptionStatus['subscription']>> = {},
): SubscriptionStatus {
  const price = { plan: 'creator', amount: 799, currency: 'USD' } as const;
  const period = { cancelAtPeriodEnd: false, currentPeriodEnd: 1_797_768_000, billingInterval: 'monthly' } as const;
  return makeSubscriptionStatus({
    plan: 'creator',
    planName: 'Creator',
    heldBy: 'subscription',
    hasInvoices: true,
    can: { upgrade: true, buy: ['starter', 'creator', 'pro-creator'], manage: true },
    subscription: { ...price, ...period, pastDueUntil: null, ...subscription },
  });
}

/** Each limit partly used. */
export const sampleUsage: Schema<'UsageDto'>[] = [
  { metric: 'zones', used: 4, allowed: 100, warning: null },
  { metric: 'people', used: 1300, allowed: 25_000, warning: null },
  { metric: 'bytes', used: 2 ** 29, allowed: 2 ** 30, warning: null },
  { metric: 'mails', used: 0, allowed: null, warning: null },
];

const limits = { zones: 5, people: 1000, bytes: 5 * 2 ** 30, mails: 3000, invites: 500 };
const basePlan = { currency: 'USD', limits, features: ['links' as const], contactEmail: null };
const soldPlan = { intervals: ['monthly', 'yearly'] as Plan['intervals'], popular: false };

const makePrices = (monthly: number | null, monthlyText: string | null, yearlyText: string | null) => ({
  monthlyPrice: monthly,
  yearlyPrice: monthly === null ? null : monthly * 10,
  maxFileBytes: 100 * 2 ** 20,
  monthlyPriceText: monthlyText,
  yearlyPriceText: yearlyText,
});

export const samplePlans: Plan[] = [
  { ...basePlan, ...makePrices(0, '$0', '$0'), id: 'free', name: 'Always Free', intervals: [], popular: false },
  { ...basePlan, ...makePrices(399, '$3.99', '$39.90'), ...soldPlan, id: 'starter', name: 'Starter' },
  { ...basePlan, ...makePrices(799, '$7.99', '$79.90'), ...soldPlan, id: 'creator', name: 'Creator', popular: true },
  { ...basePlan, ...makePrices(1499, '$14.99', '$149.90'), ...soldPlan, id: 'pro-creator', name: 'Pro Creator' },
  {
    ...basePlan,
    ...makePrices(null, null, null),
    id: 'enterprise',
    name: 'Enterprise',
    intervals: [],
    popular: false,
    limits: { zones: null, people: null, bytes: null, mails: null, invites: null },
    contactEmail: 'plans@example.org',
  },
];
