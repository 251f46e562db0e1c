import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { PlanService } from '../../plans/plan.service.js';
import { alignCollection, refreshSubscription, tellOfBilling } from '../billing.jobs.js';
import { decisive, graceEnd, isLive, planGivenBy, type SubscriptionFacts } from '../billing.policy.js';
import { differences, storedOf, type BillingState, newsOf } from '../shared/billing-state.js';
import { CustomerService } from '../customer.service.js';
import { BillingAccountSchema } from '../entities/billing-account.entity.js';
import { isMissing, StripeClient } from '../stripe-client.service.js';
import { BillingHistory } from '../history/billing-history.service.js';
import { factsOf, paidBy, type PaidFacts } from '../stripe-reading.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema;

/** What Stripe says of a customer. */
interface Reading {
  readonly deleted: boolean;
  readonly subscription: SubscriptionFacts | null;
  readonly live: number;
  /** What was paid last, by each of the subscriptions. */
  readonly paid: readonly PaidFacts[];
}

export interface SyncResult {
  /** Names of what was stored differently from what Stripe says. */
  readonly changed: string[];
  /** How many subscriptions live at once; more than one is a fault that somebody must look at. */
  readonly live: number;
}

/**
 * Reads the present state of a person's subscription from Stripe and writes it, with the plan and the limits that
 * follow. What an event says is never believed: it only gives the cause to look.
 *
 * Each question to Stripe gets a number before it is asked, and an answer is written only if no later question has
 * been answered. Every change at Stripe is followed by an event, and so by a question asked after the change; of that
 * one and all later ones the last is kept. So the end is Stripe's own state, in whatever order events come and
 * answers return.
 */
@Injectable()
export class SubscriptionSync {
  private readonly logger = new Logger('Billing');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly stripe: StripeClient,
    private readonly customers: CustomerService,
    private readonly plans: PlanService,
    private readonly history: BillingHistory,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Brings one person's plan to what Stripe says.
   * @returns what was different; null for somebody who is no customer, or whose customer Stripe does not know
   * @throws BILLING_NOT_CONFIGURED, BILLING_UNAVAILABLE
   */
  async refresh(userId: number): Promise<SyncResult | null> {
    const em = this.em.fork();
    const person = await query<Tables>(em)
      .selectFrom('users')
      .select('stripe_customer_id as customerId')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!person?.customerId) return null;
    const { customerId } = person;
    const number = await this.nextNumber(em, userId);
    const reading = await this.read(customerId);
    if (reading === null) {
      await this.audit.record(em, { type: 'billing.customer-missing', subjectId: userId });
      return null;
    }
    const changed = await inTransaction(em, (em) => this.write(em, { userId, customerId, number }, reading));
    return { changed, live: reading.live };
  }

  private async nextNumber(em: EntityManager, userId: number): Promise<number> {
    await this.customers.open(userId);
    const row = await query<Tables>(em)
      .updateTable('billing_accounts')
      .set({ asked: sql<number>`asked + 1` })
      .where('user_id', '=', userId)
      .returning('asked')
      .executeTakeFirstOrThrow();
    return Number(row.asked);
  }

  /**
   * A customer that Stripe does not know at all is not one that was deleted: a wrong key must not take the plans of
   * all subscribers. @returns null then
   */
  private async read(customerId: string): Promise<Reading | null> {
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
      const subscriptions = data.map((one) => factsOf(this.config, one));
      const live = subscriptions.filter(isLive).length;
      return { deleted: false, subscription: decisive(subscriptions), live, paid: data.flatMap(paidBy) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async write(
    em: EntityManager,
    { userId, customerId, number }: { userId: number; customerId: string; number: number },
    { deleted, subscription, live, paid }: Reading,
  ): Promise<string[]> {
    const before = await storedOf(em, userId);
    if (!before || before.customerId !== customerId) return [];
    const now = this.clock.now();
    const after = standingOf(subscription, now, before);
    const written = await query<Tables>(em)
      .updateTable('billing_accounts')
      .set({
        written: number,
        interval: after.interval,
        cancel_at_period_end: after.cancelAtPeriodEnd,
        current_period_end: after.currentPeriodEnd,
        past_due_since: after.pastDueSince,
        amount: after.amount,
        currency: after.currency,
        live,
        paused: after.paused,
        ...(live > 0 ? { checkout_sent_at: null, checkout_asked_at: null } : {}),
        ...(deleted ? { customers_made: sql<number>`customers_made + 1` } : {}),
      })
      .where('user_id', '=', userId)
      .where('written', '<', number)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) return [];
    await this.writePerson(em, userId, after, deleted);
    await this.plans.subscribe(em, userId, after.plan);
    await this.history.noteChange(em, userId, before.plan, after.plan);
    await this.history.notePaid(em, userId, paid);
    await this.followUp(em, userId, { before, after, subscription });
    this.warnOfUnknownPrice(userId, subscription);
    return differences(before, after);
  }

  private async writePerson(em: EntityManager, userId: number, after: BillingState, deleted: boolean): Promise<void> {
    await query<Tables>(em)
      .updateTable('users')
      .set({
        subscription_status: after.status,
        stripe_subscription_id: after.subscriptionId,
        ...(deleted ? { stripe_customer_id: null } : {}),
      })
      .where('id', '=', userId)
      .execute();
  }

  /** What the new state calls for later: the end of the grace, a pause that is due, a letter. */
  private async followUp(
    em: EntityManager,
    userId: number,
    {
      before,
      after,
      subscription,
    }: { before: BillingState; after: BillingState; subscription: SubscriptionFacts | null },
  ): Promise<void> {
    const end = subscription && graceEnd({ status: after.status, owedSince: after.pastDueSince });
    if (end && end > this.clock.now() && before.pastDueSince?.getTime() !== after.pastDueSince?.getTime()) {
      await this.jobs.enqueue(em, refreshSubscription, { userId }, { runAt: end });
    }
    const live = subscription !== null && isLive(subscription);
    if (live && before.deactivated !== after.paused) await this.jobs.enqueue(em, alignCollection, { userId });
    if (before.deactivated) return;
    for (const event of newsOf(before, after)) await this.jobs.enqueue(em, tellOfBilling, { userId, event });
  }

  private warnOfUnknownPrice(userId: number, subscription: SubscriptionFacts | null): void {
    if (!subscription || !isLive(subscription) || subscription.plan !== null) return;
    this.logger.error({ userId }, 'A subscription has a price that no STRIPE_PRICE_ variable names: it gives no plan.');
  }
}

/** The state to store. A payment is owed since the first invoice of which we know, not since the latest. */
function standingOf(subscription: SubscriptionFacts | null, now: Date, before: BillingState): BillingState {
  const owed = subscription?.status === 'past_due' ? (subscription.owedSince ?? now) : null;
  const same = before.subscriptionId === subscription?.id ? before.pastDueSince : null;
  const pastDueSince = owed && same && same < owed ? same : owed;
  return {
    customerId: before.customerId,
    deactivated: before.deactivated,
    subscriptionId: subscription?.id ?? null,
    status: subscription?.status ?? 'active',
    plan: planGivenBy(subscription && { ...subscription, owedSince: pastDueSince }, now),
    interval: subscription?.interval ?? null,
    cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
    currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
    amount: subscription?.amount ?? null,
    currency: subscription?.currency ?? null,
    pastDueSince,
    paused: subscription?.paused ?? false,
  };
}
