import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { listBuyablePlans, canUpgrade, getOwnPlan, getPlanName, type PlanId } from '../../plans/plan.policy.js';
import { PlanService, type OwnerPlanState } from '../../plans/plan.service.js';
import { getGraceEnd, hasInvoices, isSubscribed, canManageSubscription } from '../billing.policy.js';
import type { SubscriptionDto, SubscriptionStatusDto } from '../dto/billing.dto.js';
import { PendingCheckoutService } from '../checkout/pending-checkout.service.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import type { BillingAccount } from '../entities/billing-account.entity.js';
import { StripeClientService } from '../stripe-client.service.js';
import { SubscriptionSyncService } from './subscription-sync.service.js';

const REFRESH_LIMIT = { name: 'billing.refresh', limit: 20, window: MINUTE };

/** Returns users' plan and subscription. */
@Injectable()
export class SubscriptionStatusService {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: BillingAccountRepository,
    private readonly config: AppConfig,
    private readonly limits: RateLimitService,
    private readonly plans: PlanService,
    private readonly stripe: StripeClientService,
    private readonly subscriptionSync: SubscriptionSyncService,
    private readonly pendingCheckout: PendingCheckoutService,
  ) {}

  /**
   * Returns the user's plan and subscription. After a checkout, reads them from Stripe first, so that nobody waits for
   * an event.
   */
  async getCurrentStatus(userId: number): Promise<SubscriptionStatusDto> {
    await this.pendingCheckout.refreshIfPending(userId);
    return this.getStoredStatus(userId);
  }

  /** Returns the stored state, without a request to Stripe. */
  private async getStoredStatus(userId: number): Promise<SubscriptionStatusDto> {
    const user = await this.users.getUser(userId);
    const account = await this.accounts.findAccount(userId);
    const state = await this.plans.getOwnerPlan(userId);
    const { plan, subscribedPlan } = state;
    const owner = { ...state, isSuperAdmin: user.isSuperAdmin };
    const { isBillingEnabled } = this.config;
    // The default plan is nothing to manage.
    const manageablePlan = isBillingEnabled ? getOwnPlan(state) : 'free';
    const known = { subscriptionId: user.stripeSubscriptionId, status: user.subscriptionStatus };
    return {
      plan,
      planName: getPlanName(plan),
      subscriptionStatus: user.subscriptionStatus,
      subscription: account && isSubscribed(known) ? toSubscriptionDto(user, account, subscribedPlan) : null,
      hasInvoices: hasInvoices(known),
      heldBy: getPlanSource(state),
      contactEmail: this.config.contactEmail,
      can: {
        upgrade: isBillingEnabled && canUpgrade(owner),
        buy: isBillingEnabled ? listBuyablePlans(owner) : [],
        manage: canManageSubscription({ plan: manageablePlan, ...known }),
      },
    };
  }

  /**
   * Reads the subscription from Stripe first.
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async refreshStatus(userId: number): Promise<SubscriptionStatusDto> {
    await this.limits.consume(REFRESH_LIMIT, userId);
    if (this.stripe.isConfigured) await this.subscriptionSync.refreshSubscription(userId);
    return this.getStoredStatus(userId);
  }
}

/** Returns where a plan comes from; null for the default plan. */
function getPlanSource(state: OwnerPlanState): SubscriptionStatusDto['heldBy'] {
  if (state.plan === 'free') return null;
  if (state.plan === state.subscribedPlan) return 'subscription';
  return state.plan === getOwnPlan(state) ? 'agreement' : null;
}

function toSubscriptionDto(
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
    pastDueUntil: getGraceEnd({ status, owedSince: pastDueSince ?? null }),
  };
}
