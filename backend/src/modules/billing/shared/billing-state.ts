import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { BillingInterval, PlanId } from '../../plans/plan.policy.js';
import type { BillingEvent } from '../billing.jobs.js';

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
