import { addMilliseconds, DAY } from '../../platform/clock/clock.js';
import { soldPlanIds, type BillingInterval, type PlanId, type SoldPlanId } from '../plans/plan.policy.js';

/** A subscription as Stripe tells it, as far as it matters here. */
export interface SubscriptionData {
  readonly id: string;
  readonly status: string;
  /** The plan of its price; null when the price is none of ours. */
  readonly plan: SoldPlanId | null;
  readonly interval: BillingInterval | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: Date | null;
  /** What a period costs, in the smallest unit of the currency; null when Stripe names no one price. */
  readonly amount: number | null;
  /** As ISO 4217 has it, in capitals. */
  readonly currency: string | null;
  /** When the invoice that is owed was made. */
  readonly owedSince: Date | null;
  readonly paused: boolean;
  readonly createdAt: Date;
}

/** How long somebody keeps the plan while a payment is owed. */
export const GRACE_PERIOD = 7 * DAY;

/** Statuses that will not come back to life: only beside them may a new subscription begin. */
const ENDED_STATUSES = ['canceled', 'incomplete_expired'];
/** From the best to the worst. */
const STATUSES_BY_RANK = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', ...ENDED_STATUSES];

export function isLive({ status }: Pick<SubscriptionData, 'status'>): boolean {
  return !ENDED_STATUSES.includes(status);
}

/** What is stored of somebody's subscription. */
interface StoredSubscription {
  /** The subscription that counts, or the last one there was; null when there never was one. */
  readonly subscriptionId: string | null | undefined;
  readonly status: string;
}

/** Whether there is a subscription to look after. */
export const isSubscribed = ({ subscriptionId, status }: StoredSubscription): boolean =>
  Boolean(subscriptionId) && isLive({ status });

/** Whether something was, or is to be, paid: Stripe has invoices then. One that was never paid for leaves none. */
export const hasInvoices = ({ subscriptionId, status }: StoredSubscription): boolean =>
  Boolean(subscriptionId) && status !== 'incomplete_expired';

/**
 * Whether Manage Subscription is shown: to whoever has something at Stripe, be it old invoices, and on every plan but
 * the free one; one by agreement leads to whom to write to.
 */
export const canManageSubscription = ({ plan, ...known }: StoredSubscription & { plan: string }): boolean =>
  plan !== 'free' || hasInvoices(known);

/**
 * Whether Stripe's portal holds something for somebody: a subscription, or on the free plan old invoices. A plan by
 * agreement is not looked after there, also when there are invoices from before it.
 */
export const canOpenPortal = ({
  plan,
  customerId,
  ...known
}: StoredSubscription & { plan: string; customerId: string | null | undefined }): boolean =>
  Boolean(customerId) && (isSubscribed(known) || (plan === 'free' && hasInvoices(known)));

/** Until when the plan is kept while a payment is owed; null when none is. */
export function getGraceEnd({ status, owedSince }: Pick<SubscriptionData, 'status' | 'owedSince'>): Date | null {
  return status === 'past_due' && owedSince ? addMilliseconds(owedSince, GRACE_PERIOD) : null;
}

/** The plan that a subscription gives at a time. */
export function getPlanOfSubscription(subscription: SubscriptionData | null, now: Date): PlanId {
  const plan = subscription?.plan ?? null;
  if (!subscription || plan === null) return 'free';
  if (subscription.status === 'active' || subscription.status === 'trialing') return plan;
  const end = getGraceEnd(subscription);
  return end && now < end ? plan : 'free';
}

/**
 * Which of a customer's subscriptions counts: the one that works best, of live ones the largest plan, then the
 * newest. So the end of an old one takes nothing from a new one.
 * @param subscriptions the newest first, as Stripe lists them, which decides between two of the same second
 */
export function selectDecisiveSubscription(subscriptions: readonly SubscriptionData[]): SubscriptionData | null {
  // A status that Stripe adds one day stands behind all that are known.
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
