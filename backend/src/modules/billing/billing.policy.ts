import { addMilliseconds, DAY } from '../../platform/clock/clock.js';
import { soldPlanIds, type BillingInterval, type PlanId, type SoldPlanId } from '../plans/plan.policy.js';

/** The relevant part of a Stripe subscription. */
export interface SubscriptionData {
  readonly id: string;
  readonly status: string;
  /** The plan of its price; null if the price is not configured here. */
  readonly plan: SoldPlanId | null;
  readonly interval: BillingInterval | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: Date | null;
  /** The price per period, in the smallest unit of the currency; null if Stripe gives no single price. */
  readonly amount: number | null;
  /** ISO 4217, in capitals. */
  readonly currency: string | null;
  /** When the unpaid invoice was created. */
  readonly owedSince: Date | null;
  readonly paused: boolean;
  readonly createdAt: Date;
}

/** How long the plan is kept while a payment is overdue. */
export const GRACE_PERIOD = 7 * DAY;

/** Final statuses. A new subscription may only be created if all others have one of these. */
const ENDED_STATUSES = ['canceled', 'incomplete_expired'];
/** From best to worst. */
const STATUSES_BY_RANK = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', ...ENDED_STATUSES];

export function isLive({ status }: Pick<SubscriptionData, 'status'>): boolean {
  return !ENDED_STATUSES.includes(status);
}

/** The stored state of a user's subscription. */
interface StoredSubscription {
  /** The decisive subscription, or the last one; null if there never was one. */
  readonly subscriptionId: string | null | undefined;
  readonly status: string;
}

/** Returns true if there is a subscription that has not ended. */
export const isSubscribed = ({ subscriptionId, status }: StoredSubscription): boolean =>
  Boolean(subscriptionId) && isLive({ status });

/**
 * Returns true if something was or is to be paid, so that Stripe has invoices. A subscription never paid for has none.
 */
export const hasInvoices = ({ subscriptionId, status }: StoredSubscription): boolean =>
  Boolean(subscriptionId) && status !== 'incomplete_expired';

/**
 * Returns true if Manage Subscription is shown: to anyone with data at Stripe, even only old invoices, and on every
 * plan but the free one. For plans by agreement, the button shows whom to contact.
 */
export const canManageSubscription = ({ plan, ...known }: StoredSubscription & { plan: string }): boolean =>
  plan !== 'free' || hasInvoices(known);

/**
 * Returns true if Stripe's portal has something for the user: a subscription or, on the free plan, old invoices. A plan
 * by agreement is not managed there, even if there are older invoices.
 */
export const canOpenPortal = ({
  plan,
  customerId,
  ...known
}: StoredSubscription & { plan: string; customerId: string | null | undefined }): boolean =>
  Boolean(customerId) && (isSubscribed(known) || (plan === 'free' && hasInvoices(known)));

/** Returns until when the plan is kept while a payment is overdue; null if none is. */
export function getGraceEnd({ status, owedSince }: Pick<SubscriptionData, 'status' | 'owedSince'>): Date | null {
  return status === 'past_due' && owedSince ? addMilliseconds(owedSince, GRACE_PERIOD) : null;
}

/** Returns the plan that a subscription grants at a given time. */
export function getPlanOfSubscription(subscription: SubscriptionData | null, now: Date): PlanId {
  const plan = subscription?.plan ?? null;
  if (!subscription || plan === null) return 'free';
  if (subscription.status === 'active' || subscription.status === 'trialing') return plan;
  const end = getGraceEnd(subscription);
  return end && now < end ? plan : 'free';
}

/**
 * Returns the decisive one of a customer's subscriptions: the best status, among live ones the largest plan, then the
 * newest. So the end of an old subscription does not affect a new one.
 * @param subscriptions newest first, as Stripe lists them; this order decides between two created in the same second
 */
export function selectDecisiveSubscription(subscriptions: readonly SubscriptionData[]): SubscriptionData | null {
  // Unknown statuses that Stripe may add rank last.
  const rank = ({ status }: SubscriptionData) => {
    const index = STATUSES_BY_RANK.indexOf(status);
    return index < 0 ? STATUSES_BY_RANK.length : index;
  };
  const size = ({ plan }: SubscriptionData) => (plan === null ? -1 : soldPlanIds.indexOf(plan));
  const sorted = [...subscriptions].sort(
    (a, b) => rank(a) - rank(b) || (isLive(a) ? size(b) - size(a) : 0) || b.createdAt.getTime() - a.createdAt.getTime(),
  );
  return sorted[0] ?? null;
}
