import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { RateLimits } from '../../../platform/http/limits/rate-limits.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { buyable, mayUpgrade, ownPlan, planName, type PlanId } from '../../plans/plan.policy.js';
import { PlanService, type OwnerPlanState } from '../../plans/plan.service.js';
import { graceEnd, hasInvoices, isSubscribed, mayManage } from '../billing.policy.js';
import type { SubscriptionDto, SubscriptionStatusDto } from '../dto/billing.dto.js';
import { AwaitedCheckout } from '../checkout/awaited-checkout.service.js';
import { BillingAccount } from '../entities/billing-account.entity.js';
import { StripeClient } from '../stripe-client.service.js';
import { SubscriptionSync } from './subscription-sync.service.js';

const tries = { name: 'billing.refresh', limit: 20, window: MINUTE };

/** What a person is told of their plan and subscription. */
@Injectable()
export class SubscriptionStatusService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly limits: RateLimits,
    private readonly plans: PlanService,
    private readonly stripe: StripeClient,
    private readonly sync: SubscriptionSync,
    private readonly awaited: AwaitedCheckout,
  ) {}

  /** Plan and subscription of a person; after a checkout as Stripe tells them, so that nobody waits for an event. */
  async current(userId: number): Promise<SubscriptionStatusDto> {
    await this.awaited.look(userId);
    return this.of(userId);
  }

  /** Plan and subscription of a person as they are stored here, without asking Stripe. */
  private async of(userId: number): Promise<SubscriptionStatusDto> {
    const em = this.em.fork();
    const user = await em.findOneOrFail(User, { id: userId });
    const account = await em.findOne(BillingAccount, { userId });
    const state = await this.plans.of(em, userId);
    const { plan, subscribedPlan } = state;
    const owner = { ...state, isSuperAdmin: user.isSuperAdmin };
    const { sells } = this.config;
    // What everybody has is nothing to manage.
    const managed = sells ? ownPlan(state) : 'free';
    const known = { subscriptionId: user.stripeSubscriptionId, status: user.subscriptionStatus };
    return {
      plan,
      planName: planName(plan),
      subscriptionStatus: user.subscriptionStatus,
      subscription: account && isSubscribed(known) ? subscriptionOf(user, account, subscribedPlan) : null,
      hasInvoices: hasInvoices(known),
      heldBy: heldBy(state),
      contactEmail: this.config.contactEmail,
      can: {
        upgrade: sells && mayUpgrade(owner),
        buy: sells ? buyable(owner) : [],
        manage: mayManage({ plan: managed, ...known }),
      },
    };
  }

  /**
   * Reads the subscription from Stripe first.
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async refreshed(userId: number): Promise<SubscriptionStatusDto> {
    await this.limits.spend(tries, userId);
    if (this.stripe.configured) await this.sync.refresh(userId);
    return this.of(userId);
  }
}

/** By what somebody has a plan; null for one that everybody has. */
function heldBy(state: OwnerPlanState): SubscriptionStatusDto['heldBy'] {
  if (state.plan === 'free') return null;
  if (state.plan === state.subscribedPlan) return 'subscription';
  return state.plan === ownPlan(state) ? 'agreement' : null;
}

function subscriptionOf(
  { subscriptionStatus: status }: User,
  account: BillingAccount,
  subscribedPlan: string,
): SubscriptionDto {
  const { cancelAtPeriodEnd, currentPeriodEnd, interval, pastDueSince, amount, currency } = account;
  return {
    plan: subscribedPlan as PlanId,
    amount: amount ?? null,
    currency: currency ?? null,
    cancelAtPeriodEnd,
    currentPeriodEnd: currentPeriodEnd ? Math.floor(currentPeriodEnd.getTime() / 1000) : null,
    billingInterval: interval ?? null,
    pastDueUntil: graceEnd({ status, owedSince: pastDueSince ?? null }),
  };
}
