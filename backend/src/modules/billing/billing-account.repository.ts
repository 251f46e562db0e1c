import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import type { OwnerPlanSchema } from '../plans/owner-plan.entity.js';
import type { PlanId } from '../plans/plan.policy.js';
import type { PlanCountDto } from './history/billing-figures.dto.js';
import { BillingAccount, type BillingAccountSchema } from './entities/billing-account.entity.js';
import type { BillingState } from './shared/billing-state.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema | typeof OwnerPlanSchema;

/** What Stripe answered for a customer. */
export interface CustomerSnapshot {
  /** Sequence number of the request. */
  readonly number: number;
  readonly state: BillingState;
  /** Number of live subscriptions. */
  readonly live: number;
  /** Whether the customer was deleted at Stripe. */
  readonly deleted: boolean;
}

/** Billing accounts, and the columns of `users` that link them to Stripe. */
@Injectable()
export class BillingAccountRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Creates the user's billing account, unless it exists. */
  async ensureAccount(userId: number): Promise<void> {
    await query<Tables>(this.em)
      .insertInto('billing_accounts')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  findAccount(userId: number): Promise<BillingAccount | null> {
    return this.em.fork().findOne(BillingAccount, { userId });
  }

  /** Returns how many of the user's customers were deleted at Stripe. */
  async countDeletedCustomers(userId: number): Promise<number> {
    const account = await query<Tables>(this.em)
      .selectFrom('billing_accounts')
      .select('customers_made as made')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return account.made;
  }

  async findCustomerId(userId: number): Promise<string | null> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('users')
      .select('stripe_customer_id as customerId')
      .where('id', '=', userId)
      .executeTakeFirst();
    return row?.customerId ?? null;
  }

  /** Stores the user's customer, unless they have one or were erased. */
  async setCustomerIdOnce(userId: number, customerId: string): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('users')
      .set({ stripe_customer_id: customerId })
      .where('id', '=', userId)
      .where('stripe_customer_id', 'is', null)
      .where('erased_at', 'is', null)
      .execute();
  }

  async findUserByCustomer(em: EntityManager, customerId: string): Promise<number | null> {
    const row = await query<Tables>(em)
      .selectFrom('users')
      .select('id')
      .where('stripe_customer_id', '=', customerId)
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** Returns users who are customers, by ascending id. */
  async listCustomersAfter(userId: number, limit: number): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('users')
      .select('id')
      .where('stripe_customer_id', 'is not', null)
      .where('erased_at', 'is', null)
      .where('id', '>', userId)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => Number(id));
  }

  /** Returns the customer and whether the account is deactivated or erased; null for a user who is no customer. */
  async findCustomerState(userId: number) {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('users')
      .select(['stripe_customer_id as customer', 'deactivated_at as deactivatedAt', 'erased_at as erasedAt'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!row?.customer) return null;
    return { customer: row.customer, isDeactivated: row.deactivatedAt !== null, isErased: row.erasedAt !== null };
  }

  /** Returns the stored state, locked until the commit; null for an account that is deleted or being deleted. */
  async lockBillingState(em: EntityManager, userId: number): Promise<BillingState | null> {
    const person = await query<Tables>(em)
      .selectFrom('users')
      .select(['stripe_customer_id as customerId', 'stripe_subscription_id as subscriptionId'])
      .select(['subscription_status as status', 'deactivated_at as deactivatedAt'])
      .where('id', '=', userId)
      .where('erased_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!person) return null;
    const account = await query<Tables>(em)
      .selectFrom('billing_accounts')
      .leftJoin('owner_plans', 'owner_plans.owner_id', 'billing_accounts.user_id')
      .select(['interval', 'cancel_at_period_end as cancelAtPeriodEnd', 'paused', 'amount', 'currency'])
      .select(['current_period_end as currentPeriodEnd', 'past_due_since as pastDueSince'])
      .select('owner_plans.subscribed_plan as plan')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    const { deactivatedAt, ...known } = person;
    return {
      ...known,
      deactivated: deactivatedAt !== null,
      interval: account?.interval ?? null,
      cancelAtPeriodEnd: account?.cancelAtPeriodEnd ?? false,
      currentPeriodEnd: toDate(account?.currentPeriodEnd),
      amount: account?.amount ?? null,
      currency: account?.currency ?? null,
      pastDueSince: toDate(account?.pastDueSince),
      paused: account?.paused ?? false,
      plan: (account?.plan ?? 'free') as PlanId,
    };
  }

  /** Returns the sequence number of a new request to Stripe. */
  async nextSequenceNumber(userId: number): Promise<number> {
    const row = await query<Tables>(this.em.fork())
      .updateTable('billing_accounts')
      .set({ asked: sql<number>`asked + 1` })
      .where('user_id', '=', userId)
      .returning('asked')
      .executeTakeFirstOrThrow();
    return Number(row.asked);
  }

  /**
   * Stores what Stripe answered, for a user whose billing state is locked.
   * @returns false if the response to a later request is stored
   */
  async saveSnapshot(em: EntityManager, userId: number, snapshot: CustomerSnapshot): Promise<boolean> {
    const { number, state, live, deleted } = snapshot;
    const written = await query<Tables>(em)
      .updateTable('billing_accounts')
      .set({
        written: number,
        interval: state.interval,
        cancel_at_period_end: state.cancelAtPeriodEnd,
        current_period_end: state.currentPeriodEnd,
        past_due_since: state.pastDueSince,
        amount: state.amount,
        currency: state.currency,
        live,
        paused: state.paused,
        ...(live > 0 ? { checkout_sent_at: null, checkout_asked_at: null } : {}),
        ...(deleted ? { customers_made: sql<number>`customers_made + 1` } : {}),
      })
      .where('user_id', '=', userId)
      .where('written', '<', number)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) return false;
    await query<Tables>(em)
      .updateTable('users')
      .set({
        subscription_status: state.status,
        stripe_subscription_id: state.subscriptionId,
        ...(deleted ? { stripe_customer_id: null } : {}),
      })
      .where('id', '=', userId)
      .execute();
    return true;
  }

  /** Records that a user is sent to a checkout. */
  async markCheckoutPending(userId: number): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_sent_at: this.clock.now(), checkout_asked_at: null })
      .where('user_id', '=', userId)
      .execute();
  }

  /**
   * Claims the next request to Stripe about a pending checkout.
   * @param lifetime milliseconds for which a checkout counts as pending
   * @param minInterval milliseconds between two requests
   * @returns false if no checkout is pending or the last request is too recent
   */
  async tryAcquireCheckoutPoll(
    userId: number,
    { lifetime, minInterval }: { lifetime: number; minInterval: number },
  ): Promise<boolean> {
    const now = this.clock.now();
    const updated = await query<Tables>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_asked_at: now })
      .where('user_id', '=', userId)
      .where('checkout_sent_at', '>', addMilliseconds(now, -lifetime))
      .where((where) =>
        where.or([
          where('checkout_asked_at', 'is', null),
          where('checkout_asked_at', '<=', addMilliseconds(now, -minInterval)),
        ]),
      )
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /**
   * Takes the lock for opening a checkout.
   * @param lifetime milliseconds after which the lock expires
   * @returns false while another holder has it
   */
  async tryAcquireCheckoutLock(userId: number, token: string, lifetime: number): Promise<boolean> {
    const now = this.clock.now();
    const updated = await query<Tables>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_until: addMilliseconds(now, lifetime), checkout_token: token })
      .where('user_id', '=', userId)
      .where((where) => where.or([where('checkout_until', 'is', null), where('checkout_until', '<=', now)]))
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  async releaseCheckoutLock(userId: number, token: string): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('billing_accounts')
      .set({ checkout_until: null, checkout_token: null })
      .where('user_id', '=', userId)
      .where('checkout_token', '=', token)
      .execute();
  }

  /** Records whether the user was last emailed about a failed payment, and not yet about its recovery. */
  async setFailureNotified(userId: number, isNotified: boolean): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('billing_accounts')
      .set({ failure_told: isNotified })
      .where('user_id', '=', userId)
      .execute();
  }

  listUsersWithSeveralSubscriptions(limit: number) {
    return query<Tables>(this.em)
      .selectFrom('billing_accounts as b')
      .innerJoin('users as u', 'u.id', 'b.user_id')
      .select(['u.id as userId', 'u.email as email', 'b.live as live'])
      .where(sql<boolean>`b.live > 1`)
      .where('u.erased_at', 'is', null)
      .orderBy('u.id')
      .limit(limit)
      .execute();
  }

  async countUsersByPlan(): Promise<PlanCountDto[]> {
    const { rows } = await sql<PlanCountDto>`
      select plan, count(*)::int as people from users where erased_at is null group by plan order by plan`.execute(
      query<Tables>(this.em),
    );
    return rows;
  }
}

function toDate(value: Date | string | null | undefined): Date | null {
  return value == null ? null : new Date(value);
}
