import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { after, Clock, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimits } from '../../../platform/http/limits/rate-limits.service.js';
import { User } from '../../auth/entities/user.entity.js';
import {
  coveredUnpaid,
  mayUpgrade,
  soldPlanIds,
  type BillingInterval,
  type SoldPlanId,
} from '../../plans/plan.policy.js';
import { PlanService } from '../../plans/plan.service.js';
import { beforePayment, billingErrors } from '../billing.errors.js';
import { isLive } from '../billing.policy.js';
import { AwaitedCheckout } from './awaited-checkout.service.js';
import { CheckoutTurn } from './checkout-turn.service.js';
import { CustomerService } from '../customer.service.js';
import type { CheckoutSessionDto } from '../dto/billing.dto.js';
import { PortalService } from '../portal/portal.service.js';
import { isMissing, refusal, StripeClient } from '../stripe-client.service.js';
import { priceOf } from '../stripe-reading.js';
import { SubscriptionSync } from '../subscriptions/subscription-sync.service.js';

/** Stripe's own least is 30 minutes. */
const OPEN_FOR = HOUR;
/** An open session is handed out again while it lives so much longer. */
const STILL_GOOD = 5 * MINUTE;
const tries = { name: 'billing.checkout', limit: 60, window: HOUR };

interface CheckoutRequest {
  readonly plan: SoldPlanId;
  readonly interval: BillingInterval;
  readonly priceId: string;
}

/** Buying a plan. A person has at most one open checkout and one live subscription. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly plans: PlanService,
    private readonly stripe: StripeClient,
    private readonly customers: CustomerService,
    private readonly portal: PortalService,
    private readonly turn: CheckoutTurn,
    private readonly sync: SubscriptionSync,
    private readonly awaited: AwaitedCheckout,
  ) {}

  /**
   * The address at which a plan is paid for; for somebody who subscribes already, that of the portal, in which a plan
   * is changed.
   * @throws NOTHING_SOLD, PLAN_NOT_SOLD, UPGRADE_NOT_OFFERED, PLAN_INCLUDED, BILLING_NOT_CONFIGURED, PRICE_NOT_CONFIGURED, BILLING_UNAVAILABLE,
   * CHECKOUT_BUSY, TOO_MANY_REQUESTS
   */
  async start(userId: number, planId: string, interval: BillingInterval): Promise<string> {
    if (!this.config.sells) throw billingErrors.NOTHING_SOLD();
    const plan = soldPlanIds.find((one) => one === planId);
    if (!plan) throw billingErrors.PLAN_NOT_SOLD();
    const { isSuperAdmin } = await this.em.findOneOrFail(User, { id: userId });
    if (!mayUpgrade({ plan: (await this.plans.find(userId)).plan, isSuperAdmin }))
      throw billingErrors.UPGRADE_NOT_OFFERED();
    if (!this.stripe.configured) throw billingErrors.BILLING_NOT_CONFIGURED();
    const priceId = priceOf(this.config, plan, interval);
    if (priceId === null) throw billingErrors.PRICE_NOT_CONFIGURED();
    await this.limits.spend(tries, userId);
    await this.customers.open(userId);
    return this.turn.run(userId, (token) => this.open(userId, { plan, interval, priceId }, token));
  }

  /**
   * What became of a checkout of this person.
   * @throws NOT_FOUND for one that is not theirs
   */
  async session(userId: number, sessionId: string): Promise<CheckoutSessionDto> {
    if (!/^cs_\w{1,250}$/.test(sessionId)) throw commonErrors.NOT_FOUND();
    const session = await this.stripe
      .call((stripe) => stripe.checkout.sessions.retrieve(sessionId))
      .catch((error: unknown) => {
        throw isMissing(error) ? commonErrors.NOT_FOUND() : refusal(error);
      });
    const planId = soldPlanIds.find((plan) => plan === session.metadata?.planId);
    if (session.client_reference_id !== String(userId) || !planId) throw commonErrors.NOT_FOUND();
    const status = (['complete', 'expired'] as const).find((one) => one === session.status) ?? 'open';
    return { planId, status, paid: session.payment_status !== 'unpaid' };
  }

  /**
   * The order matters: first no other checkout is left open, then it is looked whether one has led to a subscription,
   * and only then a new one is opened. So no second payment is possible, whatever other windows do meanwhile.
   */
  private async open(userId: number, wish: CheckoutRequest, token: string): Promise<string> {
    try {
      const user = await this.person(userId);
      const isIncluded = coveredUnpaid(await this.plans.find(userId), wish.plan);
      if (isIncluded && !user.stripeCustomerId) throw billingErrors.PLAN_INCLUDED();
      const customer = await this.customers.ensure(user);
      const open = await this.closeOthers(customer, wish);
      const { data } = await this.stripe.call((stripe) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
      );
      if (data.some(isLive)) return await this.portal.addressOf(user, customer, { subscriptions: data, wish });
      if (isIncluded) throw billingErrors.PLAN_INCLUDED();
      const url = open ?? (await this.create(user, customer, wish, token));
      await this.awaited.begin(userId);
      return url;
    } catch (error) {
      throw beforePayment(refusal(error));
    }
  }

  /** The person as they are now. A customer that was deleted at Stripe is forgotten first, so that a new one is made. */
  private async person(userId: number): Promise<User> {
    const read = () => this.em.fork().findOneOrFail(User, { id: userId });
    const user = await read();
    const id = user.stripeCustomerId;
    if (!id) return user;
    const { deleted } = await this.stripe.call((stripe) => stripe.customers.retrieve(id));
    if (!deleted) return user;
    await this.sync.refresh(userId);
    return read();
  }

  /** Expires the open checkouts of a customer, except one of the same wish, whose address it gives. */
  private async closeOthers(customer: string, wish: CheckoutRequest): Promise<string | null> {
    const { data } = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
    );
    const soon = after(this.clock.now(), STILL_GOOD).getTime() / 1000;
    const same = data.find(
      ({ metadata, expires_at, url }) =>
        metadata?.priceId === wish.priceId && metadata.planId === wish.plan && expires_at > soon && url !== null,
    );
    for (const { id } of data.filter((session) => session !== same)) {
      await this.stripe
        .call((stripe) => stripe.checkout.sessions.expire(id))
        .catch((error: unknown) => {
          // Paid or expired in this very moment: what it led to is looked at next.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
    }
    return same?.url ?? null;
  }

  /** What an installation may switch on: codes for a lower price, taxes, and the tax ids of companies. */
  private extras(): Partial<Stripe.Checkout.SessionCreateParams> {
    const { promotionCodes, automaticTax, taxIds } = this.config.stripe.checkout;
    // Stripe asks for the address of a known customer, and a company's name, only when it may keep them.
    const kept = { ...(automaticTax && { address: 'auto' as const }), ...(taxIds && { name: 'auto' as const }) };
    return {
      ...(promotionCodes && { allow_promotion_codes: true }),
      ...(automaticTax && { automatic_tax: { enabled: true } }),
      ...(taxIds && { tax_id_collection: { enabled: true } }),
      ...((automaticTax || taxIds) && { customer_update: kept }),
    };
  }

  private async create(user: User, customer: string, wish: CheckoutRequest, token: string): Promise<string> {
    const metadata = {
      userId: String(user.id),
      planId: wish.plan,
      billingInterval: wish.interval,
      priceId: wish.priceId,
    };
    const { url } = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: String(user.id),
          line_items: [{ price: wish.priceId, quantity: 1 }],
          metadata,
          subscription_data: { metadata },
          locale: user.language,
          ...this.extras(),
          expires_at: Math.floor(after(this.clock.now(), OPEN_FOR).getTime() / 1000),
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
