import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { PlanService } from '../../plans/plan.service.js';
import { syncPaymentCollection, refreshSubscription, notifyBillingEvent } from '../billing.jobs.js';
import {
  selectDecisiveSubscription,
  getGraceEnd,
  isLive,
  getPlanOfSubscription,
  type SubscriptionData,
} from '../billing.policy.js';
import { findDifferences, type BillingState, findBillingEvents } from '../shared/billing-state.js';
import { BillingAccountRepository } from '../billing-account.repository.js';
import { isResourceMissing, StripeClientService } from '../stripe-client.service.js';
import { BillingHistoryRepository } from '../history/billing-history.repository.js';
import { toSubscriptionData, toPaidInvoices, type PaidInvoiceData } from '../stripe-mapping.js';

/** The state of a customer at Stripe. */
interface StripeSnapshot {
  readonly deleted: boolean;
  readonly subscription: SubscriptionData | null;
  readonly live: number;
  /** The last paid invoice of each subscription. */
  readonly paid: readonly PaidInvoiceData[];
}

export interface SyncResult {
  /** Names of the fields whose stored value differed from Stripe's. */
  readonly changed: string[];
  /** Number of live subscriptions; more than one is an error that needs attention. */
  readonly live: number;
}

/**
 * Reads the current state of a user's subscription from Stripe and stores it, with the resulting plan and limits. The
 * content of an event is never trusted: it only triggers the read.
 *
 * Each request to Stripe gets a sequence number first, and a response is stored only if no later request has been
 * stored. Every change at Stripe is followed by an event, and so by a request made after the change; the last of these
 * requests wins. So the stored state converges to Stripe's, in whatever order events and responses arrive.
 */
@Injectable()
export class SubscriptionSyncService {
  private readonly logger = new Logger('Billing');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly stripe: StripeClientService,
    private readonly accounts: BillingAccountRepository,
    private readonly plans: PlanService,
    private readonly history: BillingHistoryRepository,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Brings one user's plan in line with Stripe.
   * @returns the differences; null for a user who is no customer or whose customer Stripe does not know
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE
   */
  async refreshSubscription(userId: number): Promise<SyncResult | null> {
    const em = this.em.fork();
    const customerId = await this.accounts.findCustomerId(userId);
    if (customerId === null) return null;
    await this.accounts.ensureAccount(userId);
    const number = await this.accounts.nextSequenceNumber(userId);
    const snapshot = await this.readSnapshot(customerId);
    if (snapshot === null) {
      await this.audit.record(em, { type: 'billing.customer-missing', subjectId: userId });
      return null;
    }
    const changed = await inTransaction(em, (em) => this.writeSnapshot(em, { userId, customerId, number }, snapshot));
    return { changed, live: snapshot.live };
  }

  /**
   * Returns null for an unknown customer. This is not the same as a deleted one: a wrong API key must not cancel the
   * plans of all subscribers.
   */
  private async readSnapshot(customerId: string): Promise<StripeSnapshot | null> {
    try {
      const customer = await this.stripe.call((stripe) => stripe.customers.retrieve(customerId));
      if (customer.deleted) return { deleted: true, subscription: null, live: 0, paid: [] };
      const { data } = await this.stripe.call((stripe) =>
        stripe.subscriptions.list({
          customer: customerId,
          status: 'all',
          limit: 100,
          expand: ['data.latest_invoice'],
        }),
      );
      const subscriptions = data.map((subscription) => toSubscriptionData(this.config, subscription));
      const live = subscriptions.filter(isLive).length;
      return {
        deleted: false,
        subscription: selectDecisiveSubscription(subscriptions),
        live,
        paid: data.flatMap(toPaidInvoices),
      };
    } catch (error) {
      if (isResourceMissing(error)) return null;
      throw error;
    }
  }

  private async writeSnapshot(
    em: EntityManager,
    { userId, customerId, number }: { userId: number; customerId: string; number: number },
    { deleted, subscription, live, paid }: StripeSnapshot,
  ): Promise<string[]> {
    const before = await this.accounts.lockBillingState(em, userId);
    if (!before || before.customerId !== customerId) return [];
    const now = this.clock.now();
    const after = toBillingState(subscription, now, before);
    if (!(await this.accounts.saveSnapshot(em, userId, { number, state: after, live, deleted }))) return [];
    await this.plans.setSubscribedPlan(em, userId, after.plan);
    await this.history.insertPlanChange(em, userId, before.plan, after.plan);
    await this.history.insertPayments(em, userId, paid);
    await this.enqueueFollowUps(em, userId, { before, after, subscription });
    this.logUnknownPrice(userId, subscription);
    return findDifferences(before, after);
  }

  /**
   * Enqueues the follow-up jobs of a new state: the end of the grace period, a pause or resumption of payments, emails.
   */
  private async enqueueFollowUps(
    em: EntityManager,
    userId: number,
    {
      before,
      after,
      subscription,
    }: { before: BillingState; after: BillingState; subscription: SubscriptionData | null },
  ): Promise<void> {
    const end = subscription && getGraceEnd({ status: after.status, owedSince: after.pastDueSince });
    if (end && end > this.clock.now() && before.pastDueSince?.getTime() !== after.pastDueSince?.getTime()) {
      await this.jobs.enqueue(em, refreshSubscription, { userId }, { runAt: end });
    }
    const live = subscription !== null && isLive(subscription);
    if (live && before.deactivated !== after.paused) await this.jobs.enqueue(em, syncPaymentCollection, { userId });
    if (before.deactivated) return;
    for (const event of findBillingEvents(before, after))
      await this.jobs.enqueue(em, notifyBillingEvent, { userId, event });
  }

  private logUnknownPrice(userId: number, subscription: SubscriptionData | null): void {
    if (!subscription || !isLive(subscription) || subscription.plan !== null) return;
    this.logger.error({ userId }, "A subscription's price isn't in any STRIPE_PRICE_ variable; it grants no plan.");
  }
}

/** Returns the state to store. A payment is overdue since the first unpaid invoice we know of, not since the latest. */
function toBillingState(subscription: SubscriptionData | null, now: Date, before: BillingState): BillingState {
  const owedSince = subscription?.status === 'past_due' ? (subscription.owedSince ?? now) : null;
  const previousOwedSince = before.subscriptionId === subscription?.id ? before.pastDueSince : null;
  const pastDueSince = owedSince && previousOwedSince && previousOwedSince < owedSince ? previousOwedSince : owedSince;
  return {
    customerId: before.customerId,
    deactivated: before.deactivated,
    subscriptionId: subscription?.id ?? null,
    status: subscription?.status ?? 'active',
    plan: getPlanOfSubscription(subscription && { ...subscription, owedSince: pastDueSince }, now),
    interval: subscription?.interval ?? null,
    cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
    currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
    amount: subscription?.amount ?? null,
    currency: subscription?.currency ?? null,
    pastDueSince,
    paused: subscription?.paused ?? false,
  };
}
