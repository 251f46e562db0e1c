import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { billingErrors } from '../billing.errors.js';
import { canOpenPortal } from '../billing.policy.js';
import { createPortalFlow, type PortalRequest } from './portal-flow.js';
import { isResourceMissing, toPublicError, StripeClientService } from '../stripe-client.service.js';
import { SubscriptionSyncService } from '../subscriptions/subscription-sync.service.js';

const PORTAL_LIMIT = { name: 'billing.portal', limit: 60, window: HOUR };

type StripeUser = User & { stripeCustomerId: string };

/** Stripe's billing portal, where subscribers change plan, card and address, read invoices, and cancel. */
@Injectable()
export class PortalService {
  constructor(
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly limits: RateLimitService,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
  ) {}

  /**
   * Returns the URL of the portal for users with a subscription or with old invoices. A customer that was deleted at
   * Stripe is cleared. If billing is disabled, the portal stays open to paying users, so that they can cancel.
   * @param target the plan at which the portal opens, if one was chosen
   * @throws NOTHING_SOLD if billing is disabled and the user pays for nothing or chose a plan; PLAN_BY_AGREEMENT for a
   * paid plan without a subscription; NO_SUBSCRIPTION for a free one without invoices
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async openPortal(userId: number, target: PortalRequest | null = null): Promise<string> {
    if (!this.config.isBillingEnabled && target && target.plan !== 'free') throw billingErrors.NOTHING_SOLD();
    const user = await this.getPortalCustomer(userId);
    if (!this.stripe.isConfigured) throw billingErrors.BILLING_NOT_CONFIGURED();
    await this.limits.consume(PORTAL_LIMIT, userId);
    try {
      const subscriptions = target ? await this.listSubscriptions(user.stripeCustomerId) : [];
      return await this.createPortalUrl(user, user.stripeCustomerId, { subscriptions, portalRequest: target });
    } catch (error) {
      if (isResourceMissing(error)) {
        await this.subscriptionSync.refreshSubscription(userId);
        await this.getPortalCustomer(userId);
      }
      throw toPublicError(error);
    }
  }

  /**
   * Returns the URL of the portal, at the chosen plan if possible. If Stripe rejects that, for example because the
   * portal does not offer the price, returns the start page.
   * @param customer of the user
   * @throws BILLING_UNAVAILABLE, and Stripe's own rejections for the caller to handle
   */
  async createPortalUrl(
    { language }: Pick<User, 'language'>,
    customer: string,
    at: { subscriptions: readonly Stripe.Subscription[]; portalRequest: PortalRequest | null } = {
      subscriptions: [],
      portalRequest: null,
    },
  ): Promise<string> {
    // Without billing there is no checkout page.
    const back = this.config.isBillingEnabled ? '/checkout?portal=true' : '/settings#plan';
    const return_url = `${this.config.appUrl}${back}`;
    const flow_data = at.portalRequest && createPortalFlow(this.config, at.subscriptions, at.portalRequest, return_url);
    const open = async (flow: object) => {
      const session = { customer, return_url, locale: language, ...flow };
      const { url } = await this.stripe.call((stripe) => stripe.billingPortal.sessions.create(session));
      return url;
    };
    if (!flow_data) return open({});
    return open({ flow_data }).catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return open({});
      throw error;
    });
  }

  private async listSubscriptions(customer: string): Promise<Stripe.Subscription[]> {
    const { data } = await this.stripe.call((stripe) =>
      stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
    );
    return data;
  }

  /**
   * Returns a user who may open the portal. Before rejecting a user with a Stripe customer, the subscription is read
   * from Stripe once more, because the event of a payment may still be on its way.
   * @throws NOTHING_SOLD, PLAN_BY_AGREEMENT, NO_SUBSCRIPTION, BILLING_UNAVAILABLE
   */
  private async getPortalCustomer(userId: number): Promise<StripeUser> {
    const stored = await this.users.getUser(userId);
    if (canUsePortal(stored)) return stored;
    if (stored.stripeCustomerId && this.stripe.isConfigured) await this.subscriptionSync.refreshSubscription(userId);
    const user = stored.stripeCustomerId ? await this.users.getUser(userId) : stored;
    if (canUsePortal(user)) return user;
    if (!this.config.isBillingEnabled) throw billingErrors.NOTHING_SOLD();
    throw user.plan === 'free' ? billingErrors.NO_SUBSCRIPTION() : billingErrors.PLAN_BY_AGREEMENT();
  }
}

function canUsePortal(user: User): user is StripeUser {
  const { plan, stripeCustomerId: customerId, stripeSubscriptionId: subscriptionId, subscriptionStatus: status } = user;
  return canOpenPortal({ plan, customerId, subscriptionId, status });
}
