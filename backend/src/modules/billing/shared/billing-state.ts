import type { EntityManager } from '@mikro-orm/postgresql';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { query } from '../../../platform/database/query.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { OwnerPlanSchema } from '../../plans/owner-plan.entity.js';
import type { BillingInterval, PlanId } from '../../plans/plan.policy.js';
import { BillingAccountSchema } from '../entities/billing-account.entity.js';
import type { BillingEvent } from '../billing.jobs.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema | typeof OwnerPlanSchema;

/** The stored state of a user's subscription. */
export interface BillingState {
  readonly customerId: string | null;
  readonly deactivated: boolean;
  readonly subscriptionId: string | null;
  readonly status: string;
  /** The plan that the subscription grants, without any granted plan. */
  readonly plan: PlanId;
  readonly interval: BillingInterval | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly currentPeriodEnd: Date | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly pastDueSince: Date | null;
  readonly paused: boolean;
}

/** Returns the stored state, locked until the commit; null for an account that is deleted or being deleted. */
export async function lockBillingState(em: EntityManager, userId: number): Promise<BillingState | null> {
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

const comparedFields = freezeList([
  'subscriptionId',
  'status',
  'plan',
  'interval',
  'cancelAtPeriodEnd',
  'currentPeriodEnd',
  'paused',
]);

/** Returns the names of the fields that differ. */
export function findDifferences(a: BillingState, b: BillingState): string[] {
  const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  return comparedFields.filter((name) => comparable(a[name]) !== comparable(b[name]));
}

function toDate(value: Date | string | null | undefined): Date | null {
  return value == null ? null : new Date(value);
}

const OWING_STATUSES = ['past_due', 'unpaid'];
const WORKING_STATUSES = ['active', 'trialing'];

/** Returns the events that a subscriber is emailed about when the state changes. */
export function findBillingEvents(before: BillingState, after: BillingState): BillingEvent[] {
  const isSameSubscription = before.subscriptionId === after.subscriptionId;
  const isRecovered =
    isSameSubscription && OWING_STATUSES.includes(before.status) && WORKING_STATUSES.includes(after.status);
  const isNewlyCancelled = after.cancelAtPeriodEnd && !(isSameSubscription && before.cancelAtPeriodEnd);
  const candidates: [BillingEvent, boolean][] = [
    ['payment-failed', after.status === 'past_due' && before.status !== 'past_due'],
    ['payment-recovered', isRecovered],
    ['plan-started', !isRecovered && after.plan !== 'free' && after.plan !== before.plan],
    ['plan-ends', isNewlyCancelled && after.plan !== 'free' && after.currentPeriodEnd !== null],
    ['plan-ended', before.plan !== 'free' && after.plan === 'free'],
  ];
  return candidates.flatMap(([event, holds]) => (holds ? event : []));
}
