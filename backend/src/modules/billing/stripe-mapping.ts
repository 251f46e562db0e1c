import type Stripe from 'stripe';
import type { AppConfig } from '../../platform/config/app-config.js';
import { billingIntervals, soldPlanIds, type BillingInterval, type SoldPlanId } from '../plans/plan.policy.js';
import type { SubscriptionData } from './billing.policy.js';

/** Returns the id of a price, or null if the plan is not sold for that interval. */
export function getPriceId(config: AppConfig, plan: SoldPlanId, interval: BillingInterval): string | null {
  return config.stripe.prices[plan][interval];
}

/** Maps a subscription whose latest invoice is expanded. */
export function toSubscriptionData(config: AppConfig, subscription: Stripe.Subscription): SubscriptionData {
  const item = subscription.items.data[0];
  const end = subscription.cancel_at ?? item?.current_period_end ?? null;
  const invoice = subscription.latest_invoice;
  return {
    id: subscription.id,
    status: subscription.status,
    ...findPlanOfPrice(config, item?.price.id, subscription.metadata),
    // For customers with flexible billing mode, the portal sets a date instead of the flag.
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    currentPeriodEnd: toDate(end),
    amount: item?.price.unit_amount == null ? null : item.price.unit_amount * (item.quantity ?? 1),
    currency: item?.price.currency?.toUpperCase() ?? null,
    owedSince: invoice !== null && typeof invoice === 'object' ? toDate(invoice.created) : null,
    paused: subscription.pause_collection !== null,
    createdAt: toDate(subscription.created)!,
  };
}

export interface PaidInvoiceData {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: Date;
}

/** Returns the subscription's latest invoice (expanded) if something was paid with it. */
export function toPaidInvoices({ latest_invoice: invoice }: Stripe.Subscription): PaidInvoiceData[] {
  if (invoice === null || typeof invoice !== 'object' || invoice.status !== 'paid') return [];
  const { id, amount_paid: amount, currency, created, status_transitions: moments } = invoice;
  if (!id || !(amount > 0)) return [];
  return [{ id, amount, currency: currency.toUpperCase(), paidAt: toDate(moments?.paid_at ?? created)! }];
}

/**
 * Returns the plan of a price. A price that is no longer configured falls back to what the checkout stored in the
 * subscription's metadata, as long as it is still the price that was bought. So users with an old price keep their
 * plan, and users who changed to an unknown price don't.
 */
function findPlanOfPrice(config: AppConfig, priceId: string | undefined, metadata: Stripe.Metadata) {
  for (const plan of soldPlanIds) {
    const interval = billingIntervals.find(
      (candidate) => getPriceId(config, plan, candidate) === priceId && priceId !== undefined,
    );
    if (interval) return { plan, interval };
  }
  if (priceId === undefined || metadata.priceId !== priceId) return { plan: null, interval: null };
  return {
    plan: soldPlanIds.find((plan) => plan === metadata.planId) ?? null,
    interval: billingIntervals.find((interval) => interval === metadata.billingInterval) ?? null,
  };
}

function toDate(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000);
}
