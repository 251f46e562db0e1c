import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { billingErrors } from '../billing.errors.js';
import { canOpenPortal } from '../billing.policy.js';
import { createPortalFlow, type PortalRequest } from './portal-flow.js';
import { isResourceMissing, toPublicError, StripeClientService } from '../stripe-client.service.js';
import { SubscriptionSyncService } from '../subscriptions/subscription-sync.service.js';

const PORTAL_LIMIT = { name: 'billing.portal', limit: 60, window: HOUR };

type StripeUser = User & { stripeCustomerId: string };

/** The pages of Stripe on which a subscriber changes plan, card and address, reads invoices, and cancels. */
@Injectable()
export class PortalService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly limits: RateLimitService,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
  ) {}

  /**
   * The address of the portal for whoever subscribes, or did and has invoices there. A customer that was deleted at
   * Stripe is forgotten.
   * Where nothing is sold it is open still to whoever pays, so that they can cancel.
   * @param wish the plan at which it opens, if one was chosen
   * @throws NOTHING_SOLD for anybody else where nothing is sold, and for a plan chosen there; PLAN_BY_AGREEMENT for a paid plan without a subscription, NO_SUBSCRIPTION for a free one without invoices
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async openPortal(userId: number, target: PortalRequest | null = null): Promise<string> {
    if (!this.config.isBillingEnabled && target && target.plan !== 'free') throw billingErrors.NOTHING_SOLD();
    const user = await this.getPortalCustomer(userId);
    if (!this.stripe.isConfigured) throw billingErrors.BILLING_NOT_CONFIGURED();
    await this.limits.consume(PORTAL_LIMIT, userId);
    try {
      const subscriptions = target ? await this.listSubscriptions(user.stripeCustomerId) : [];
      return await this.createPortalUrl(user, user.stripeCustomerId, { subscriptions, wish: target });
    } catch (error) {
      if (isResourceMissing(error)) {
        await this.subscriptionSync.refreshSubscription(userId);
        await this.getPortalCustomer(userId);
      }
      throw toPublicError(error);
    }
  }

  /**
   * The address of the portal, at a wished plan where that can be: what Stripe does not offer there, such as a price
   * that the portal does not know, is left to its first page.
   * @param customer of the user
   * @throws BILLING_UNAVAILABLE, and Stripe's own refusals for the caller to judge
   */
  async createPortalUrl(
    { language }: Pick<User, 'language'>,
    customer: string,
    at: { subscriptions: readonly Stripe.Subscription[]; wish: PortalRequest | null } = {
      subscriptions: [],
      wish: null,
    },
  ): Promise<string> {
    // Where nothing is sold there is no page of the checkout.
    const back = this.config.isBillingEnabled ? '/checkout?portal=true' : '/settings#plan';
    const return_url = `${this.config.appUrl}${back}`;
    const flow_data = at.wish && createPortalFlow(this.config, at.subscriptions, at.wish, return_url);
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
   * Somebody for whom the portal holds something. What is stored is asked of Stripe once more before somebody with a
   * customer there is sent away: the message of a payment may still be on its way.
   * @throws NOTHING_SOLD, PLAN_BY_AGREEMENT, NO_SUBSCRIPTION, BILLING_UNAVAILABLE
   */
  private async getPortalCustomer(userId: number): Promise<StripeUser> {
    const stored = await this.getUser(userId);
    if (canUsePortal(stored)) return stored;
    if (stored.stripeCustomerId && this.stripe.isConfigured) await this.subscriptionSync.refreshSubscription(userId);
    const user = stored.stripeCustomerId ? await this.getUser(userId) : stored;
    if (canUsePortal(user)) return user;
    if (!this.config.isBillingEnabled) throw billingErrors.NOTHING_SOLD();
    throw user.plan === 'free' ? billingErrors.NO_SUBSCRIPTION() : billingErrors.PLAN_BY_AGREEMENT();
  }

  private getUser(userId: number): Promise<User> {
    return this.em.fork().findOneOrFail(User, { id: userId });
  }
}

/** Somebody whom the portal is open to. */
function canUsePortal(user: User): user is StripeUser {
  const { plan, stripeCustomerId: customerId, stripeSubscriptionId: subscriptionId, subscriptionStatus: status } = user;
  return canOpenPortal({ plan, customerId, subscriptionId, status });
}
