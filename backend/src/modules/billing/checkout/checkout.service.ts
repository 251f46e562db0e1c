import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { addMilliseconds, Clock, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import {
  isCoveredWithoutPayment,
  canUpgrade,
  soldPlanIds,
  type BillingInterval,
  type SoldPlanId,
} from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { toNotChargedError, billingErrors } from '../billing.errors.js';
import { isLive } from '../billing.policy.js';
import { CheckoutLockService } from './checkout-lock.service.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import { StripeCustomerService } from '../stripe-customer.service.js';
import type { CheckoutSessionDto } from '../dto/billing.dto.js';
import { PortalService } from '../portal/portal.service.js';
import { isResourceMissing, toPublicError, StripeClientService } from '../stripe-client.service.js';
import { getPriceId } from '../stripe-mapping.js';
import { SubscriptionSyncService } from '../subscriptions/subscription-sync.service.js';

/** Stripe's minimum is 30 minutes. */
const SESSION_LIFETIME = HOUR;
/** An open session is reused if it is valid for at least this long. */
const MIN_REMAINING_LIFETIME = 5 * MINUTE;
const CHECKOUT_LIMIT = { name: 'billing.checkout', limit: 60, window: HOUR };

interface CheckoutRequest {
  readonly plan: SoldPlanId;
  readonly interval: BillingInterval;
  readonly priceId: string;
}

/** Buys plans. A user has at most one open checkout and one live subscription. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: BillingAccountRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly limits: RateLimitService,
    private readonly plans: PlanService,
    private readonly stripe: StripeClientService,
    private readonly customers: StripeCustomerService,
    private readonly portal: PortalService,
    private readonly checkoutLock: CheckoutLockService,
    private readonly subscriptionSync: SubscriptionSyncService,
  ) {}

  /**
   * Returns the URL to pay for a plan or, for subscribers, the URL of the portal, where plans are changed.
   * @throws NOTHING_SOLD, PLAN_NOT_SOLD, UPGRADE_NOT_OFFERED, PLAN_INCLUDED, BILLING_NOT_CONFIGURED,
   * PRICE_NOT_CONFIGURED, BILLING_UNAVAILABLE, CHECKOUT_BUSY, TOO_MANY_REQUESTS
   */
  async startCheckout(userId: number, planId: string, interval: BillingInterval): Promise<string> {
    if (!this.config.isBillingEnabled) throw billingErrors.NOTHING_SOLD();
    const plan = soldPlanIds.find((soldPlanId) => soldPlanId === planId);
    if (!plan) throw billingErrors.PLAN_NOT_SOLD();
    const { isSuperAdmin } = await this.users.getUser(userId);
    if (!canUpgrade({ plan: (await this.plans.getOwnerPlan(userId)).plan, isSuperAdmin }))
      throw billingErrors.UPGRADE_NOT_OFFERED();
    if (!this.stripe.isConfigured) throw billingErrors.BILLING_NOT_CONFIGURED();
    const priceId = getPriceId(this.config, plan, interval);
    if (priceId === null) throw billingErrors.PRICE_NOT_CONFIGURED();
    await this.limits.consume(CHECKOUT_LIMIT, userId);
    await this.accounts.ensureAccount(userId);
    return this.checkoutLock.withLock(userId, (token) => this.openCheckout(userId, { plan, interval, priceId }, token));
  }

  /**
   * Returns the state of one of the user's checkouts.
   * @throws NOT_FOUND for a checkout of another user
   */
  async getCheckoutSession(userId: number, sessionId: string): Promise<CheckoutSessionDto> {
    if (!/^cs_\w{1,250}$/.test(sessionId)) throw commonErrors.NOT_FOUND();
    const session = await this.stripe
      .call((stripe) => stripe.checkout.sessions.retrieve(sessionId))
      .catch((error: unknown) => {
        throw isResourceMissing(error) ? commonErrors.NOT_FOUND() : toPublicError(error);
      });
    const planId = soldPlanIds.find((plan) => plan === session.metadata?.planId);
    if (session.client_reference_id !== String(userId) || !planId) throw commonErrors.NOT_FOUND();
    const status = (['complete', 'expired'] as const).find((finalStatus) => finalStatus === session.status) ?? 'open';
    return { planId, status, paid: session.payment_status !== 'unpaid' };
  }

  /**
   * The order matters: first expire all other checkouts, then check whether one has led to a subscription, and only
   * then open a new one. This rules out a second payment, whatever other windows do in the meantime.
   */
  private async openCheckout(userId: number, checkoutRequest: CheckoutRequest, token: string): Promise<string> {
    try {
      const user = await this.getUser(userId);
      const isIncluded = isCoveredWithoutPayment(await this.plans.getOwnerPlan(userId), checkoutRequest.plan);
      if (isIncluded && !user.stripeCustomerId) throw billingErrors.PLAN_INCLUDED();
      const customer = await this.customers.ensureCustomer(user);
      const open = await this.expireOtherSessions(customer, checkoutRequest);
      const { data } = await this.stripe.call((stripe) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
      );
      if (data.some(isLive))
        return await this.portal.createPortalUrl(user, customer, {
          subscriptions: data,
          portalRequest: checkoutRequest,
        });
      if (isIncluded) throw billingErrors.PLAN_INCLUDED();
      const url = open ?? (await this.createSession(user, customer, checkoutRequest, token));
      await this.accounts.markCheckoutPending(userId);
      return url;
    } catch (error) {
      throw toNotChargedError(toPublicError(error));
    }
  }

  /**
   * Returns the current user. If their customer was deleted at Stripe, clears it first, so that a new one is created.
   */
  private async getUser(userId: number): Promise<User> {
    const user = await this.users.getUser(userId);
    const id = user.stripeCustomerId;
    if (!id) return user;
    const { deleted } = await this.stripe.call((stripe) => stripe.customers.retrieve(id));
    if (!deleted) return user;
    await this.subscriptionSync.refreshSubscription(userId);
    return this.users.getUser(userId);
  }

  /** Expires the customer's open checkouts, except one for the same plan and price, whose URL is returned. */
  private async expireOtherSessions(customer: string, checkoutRequest: CheckoutRequest): Promise<string | null> {
    const { data } = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
    );
    const minExpiry = addMilliseconds(this.clock.now(), MIN_REMAINING_LIFETIME).getTime() / 1000;
    const same = data.find(
      ({ metadata, expires_at, url }) =>
        metadata?.priceId === checkoutRequest.priceId &&
        metadata.planId === checkoutRequest.plan &&
        expires_at > minExpiry &&
        url !== null,
    );
    for (const { id } of data.filter((session) => session !== same)) {
      await this.stripe
        .call((stripe) => stripe.checkout.sessions.expire(id))
        .catch((error: unknown) => {
          // Paid or expired concurrently; the caller checks the resulting subscription next.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
    }
    return same?.url ?? null;
  }

  /** Options that the installation can enable: promotion codes, automatic taxes and tax ids. */
  private getCheckoutOptions(): Partial<Stripe.Checkout.SessionCreateParams> {
    const { promotionCodes, automaticTax, taxIds } = this.config.stripe.checkout;
    // Stripe collects the address or company name of an existing customer only if it may save them.
    const customerUpdate = {
      ...(automaticTax && { address: 'auto' as const }),
      ...(taxIds && { name: 'auto' as const }),
    };
    return {
      ...(promotionCodes && { allow_promotion_codes: true }),
      ...(automaticTax && { automatic_tax: { enabled: true } }),
      ...(taxIds && { tax_id_collection: { enabled: true } }),
      ...((automaticTax || taxIds) && { customer_update: customerUpdate }),
    };
  }

  private async createSession(
    user: User,
    customer: string,
    checkoutRequest: CheckoutRequest,
    token: string,
  ): Promise<string> {
    const metadata = {
      userId: String(user.id),
      planId: checkoutRequest.plan,
      billingInterval: checkoutRequest.interval,
      priceId: checkoutRequest.priceId,
    };
    const { url } = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: String(user.id),
          line_items: [{ price: checkoutRequest.priceId, quantity: 1 }],
          metadata,
          subscription_data: { metadata },
          locale: user.language,
          ...this.getCheckoutOptions(),
          expires_at: Math.floor(addMilliseconds(this.clock.now(), SESSION_LIFETIME).getTime() / 1000),
          success_url: `${this.config.appUrl}/checkout?success=true&session_id={CHECKOUT_SESSION_ID}`,
          cancel_url: `${this.config.appUrl}/checkout?canceled=true`,
        },
        { idempotencyKey: `zonary-checkout-${token}` },
      ),
    );
    if (!url) throw billingErrors.BILLING_UNAVAILABLE();
    return url;
  }
}
