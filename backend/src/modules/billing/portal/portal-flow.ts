import type Stripe from 'stripe';
import type { AppConfig } from '../../../platform/config/app-config.js';
import type { BillingInterval, SoldPlanId } from '../../plans/plan.policy.js';
import { isLive } from '../billing.policy.js';
import { getPriceId } from '../stripe-mapping.js';

/** The change that a subscriber wants; `free` means to cancel. */
export interface PortalRequest {
  readonly plan: SoldPlanId | 'free';
  readonly interval: BillingInterval;
}

const WORKING_STATUSES = ['active', 'trialing'];

/**
 * Returns the portal flow in which a change is confirmed. Returns null for the portal's start page, if something else
 * must be seen first: an overdue payment, a second subscription, or a scheduled end.
 * @param returnUrl where the browser goes afterwards
 */
export function createPortalFlow(
  config: AppConfig,
  subscriptions: readonly Stripe.Subscription[],
  { plan, interval }: PortalRequest,
  returnUrl: string,
): Stripe.BillingPortal.SessionCreateParams.FlowData | null {
  const live = subscriptions.filter(isLive);
  const [subscription] = live;
  const item = subscription?.items.data[0];
  if (!subscription || !item || live.length > 1 || !WORKING_STATUSES.includes(subscription.status)) return null;
  const after_completion = { type: 'redirect' as const, redirect: { return_url: returnUrl } };
  if (plan === 'free') {
    const ends = subscription.cancel_at_period_end || subscription.cancel_at !== null;
    if (ends) return null;
    const subscription_cancel = { subscription: subscription.id };
    return { type: 'subscription_cancel', subscription_cancel, after_completion };
  }
  const price = getPriceId(config, plan, interval);
  if (price === null || price === item.price.id) return null;
  const subscription_update_confirm = {
    subscription: subscription.id,
    items: [{ id: item.id, price, quantity: item.quantity ?? 1 }],
  };
  return { type: 'subscription_update_confirm', subscription_update_confirm, after_completion };
}
