import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { RateLimits } from '../../platform/http/rate-limits.service.js';
import { User } from '../auth/entities/user.entity.js';
import { mayManage } from '../plans/plan.policy.js';
import { billingErrors } from './billing.errors.js';
import { isMissing, refusal, StripeClient } from './stripe-client.service.js';
import { SubscriptionSync } from './subscription-sync.service.js';

const tries = { name: 'billing.portal', limit: 60, window: HOUR };

/** The pages of Stripe on which a subscriber changes plan, card and address, reads invoices, and cancels. */
@Injectable()
export class PortalService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly limits: RateLimits,
    private readonly stripe: StripeClient,
    private readonly sync: SubscriptionSync,
  ) {}

  /**
   * The address of the portal for somebody who has been a customer. One that was deleted at Stripe is forgotten.
   * @throws PLAN_BY_AGREEMENT for a paid plan without a customer, NO_SUBSCRIPTION for a free one
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async open(userId: number): Promise<string> {
    const user = await this.customer(userId);
    if (!this.stripe.configured) throw billingErrors.BILLING_NOT_CONFIGURED();
    await this.limits.take(tries, userId);
    try {
      return await this.addressOf(user, user.stripeCustomerId);
    } catch (error) {
      if (isMissing(error)) {
        await this.sync.refresh(userId);
        await this.customer(userId);
      }
      throw refusal(error);
    }
  }

  /** @throws PLAN_BY_AGREEMENT, NO_SUBSCRIPTION */
  private async customer(userId: number): Promise<User & { stripeCustomerId: string }> {
    const user = await this.em.fork().findOneOrFail(User, { id: userId });
    if (!user.stripeCustomerId) {
      throw mayManage(user) ? billingErrors.PLAN_BY_AGREEMENT() : billingErrors.NO_SUBSCRIPTION();
    }
    return user as User & { stripeCustomerId: string };
  }

  /**
   * @param customer of the user
   * @throws BILLING_UNAVAILABLE, and Stripe's own refusals for the caller to judge
   */
  async addressOf({ language }: Pick<User, 'language'>, customer: string): Promise<string> {
    const return_url = `${this.config.appUrl}/checkout?portal=true`;
    const { url } = await this.stripe.call((stripe) =>
      stripe.billingPortal.sessions.create({ customer, return_url, locale: language }),
    );
    return url;
  }
}
