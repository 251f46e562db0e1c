import type Stripe from 'stripe';
import type { AppConfig } from '../../platform/config/app-config.js';
import { billingIntervals, soldPlanIds, type BillingInterval, type SoldPlanId } from '../plans/plan.policy.js';
import type { SubscriptionData } from './billing.policy.js';

/** The id of a price, or null when that plan is not sold in that interval. */
export function getPriceId(config: AppConfig, plan: SoldPlanId, interval: BillingInterval): string | null {
  return config.stripe.prices[plan][interval];
}

/** What a subscription says, with its latest invoice expanded. */
export function toSubscriptionData(config: AppConfig, subscription: Stripe.Subscription): SubscriptionData {
  const item = subscription.items.data[0];
  const end = subscription.cancel_at ?? item?.current_period_end ?? null;
  const invoice = subscription.latest_invoice;
  return {
    id: subscription.id,
    status: subscription.status,
    ...findPlanOfPrice(config, item?.price.id, subscription.metadata),
    // The portal sets a date instead of the flag for customers whose billing mode is flexible.
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    currentPeriodEnd: toDate(end),
    amount: item?.price.unit_amount == null ? null : item.price.unit_amount * (item.quantity ?? 1),
    currency: item?.price.currency?.toUpperCase() ?? null,
    owedSince: invoice !== null && typeof invoice === 'object' ? toDate(invoice.created) : null,
    paused: subscription.pause_collection !== null,
    createdAt: toDate(subscription.created)!,
  };
}

/** An invoice that was paid. */
export interface PaidInvoiceData {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: Date;
}

/** The latest invoice of a subscription, expanded, if something was paid by it. */
export function toPaidInvoices({ latest_invoice: invoice }: Stripe.Subscription): PaidInvoiceData[] {
  if (invoice === null || typeof invoice !== 'object' || invoice.status !== 'paid') return [];
  const { id, amount_paid: amount, currency, created, status_transitions: moments } = invoice;
  if (!id || !(amount > 0)) return [];
  return [{ id, amount, currency: currency.toUpperCase(), paidAt: toDate(moments?.paid_at ?? created)! }];
}

/**
 * The plan that a price stands for. A price that is not configured any more falls back to what the checkout noted with
 * the subscription, as long as it is still the price that was bought: whoever pays an old price keeps the plan, and
 * nobody keeps it who has changed to a price that is none of ours.
 */
function findPlanOfPrice(config: AppConfig, priceId: string | undefined, metadata: Stripe.Metadata) {
  for (const plan of soldPlanIds) {
    const interval = billingIntervals.find((one) => getPriceId(config, plan, one) === priceId && priceId !== undefined);
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
