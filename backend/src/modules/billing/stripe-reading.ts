import type Stripe from 'stripe';
import type { AppConfig } from '../../platform/config/app-config.js';
import { billingIntervals, soldPlanIds, type BillingInterval, type SoldPlanId } from '../plans/plan.policy.js';
import type { SubscriptionFacts } from './billing.policy.js';

/** The id of a price, or null when that plan is not sold in that interval. */
export function priceOf(config: AppConfig, plan: SoldPlanId, interval: BillingInterval): string | null {
  return config.stripe.prices[plan][interval];
}

/** What a subscription says, with its latest invoice expanded. */
export function factsOf(config: AppConfig, subscription: Stripe.Subscription): SubscriptionFacts {
  const item = subscription.items.data[0];
  const end = subscription.cancel_at ?? item?.current_period_end ?? null;
  const invoice = subscription.latest_invoice;
  return {
    id: subscription.id,
    status: subscription.status,
    ...planOfPrice(config, item?.price.id, subscription.metadata),
    // The portal sets a date instead of the flag for customers whose billing mode is flexible.
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    currentPeriodEnd: fromSeconds(end),
    amount: item?.price.unit_amount == null ? null : item.price.unit_amount * (item.quantity ?? 1),
    currency: item?.price.currency?.toUpperCase() ?? null,
    owedSince: invoice !== null && typeof invoice === 'object' ? fromSeconds(invoice.created) : null,
    paused: subscription.pause_collection !== null,
    createdAt: fromSeconds(subscription.created)!,
  };
}

/** An invoice that was paid. */
export interface PaidFacts {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: Date;
}

/** The latest invoice of a subscription, expanded, if something was paid by it. */
export function paidBy({ latest_invoice: invoice }: Stripe.Subscription): PaidFacts[] {
  if (invoice === null || typeof invoice !== 'object' || invoice.status !== 'paid') return [];
  const { id, amount_paid: amount, currency, created, status_transitions: moments } = invoice;
  if (!id || !(amount > 0)) return [];
  return [{ id, amount, currency: currency.toUpperCase(), paidAt: fromSeconds(moments?.paid_at ?? created)! }];
}

/**
 * The plan that a price stands for. A price that is not configured any more falls back to what the checkout noted with
 * the subscription, as long as it is still the price that was bought: whoever pays an old price keeps the plan, and
 * nobody keeps it who has changed to a price that is none of ours.
 */
function planOfPrice(config: AppConfig, priceId: string | undefined, noted: Stripe.Metadata) {
  for (const plan of soldPlanIds) {
    const interval = billingIntervals.find((one) => priceOf(config, plan, one) === priceId && priceId !== undefined);
    if (interval) return { plan, interval };
  }
  if (priceId === undefined || noted.priceId !== priceId) return { plan: null, interval: null };
  return {
    plan: soldPlanIds.find((plan) => plan === noted.planId) ?? null,
    interval: billingIntervals.find((interval) => interval === noted.billingInterval) ?? null,
  };
}

function fromSeconds(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000);
}
