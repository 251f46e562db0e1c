import { DAY } from '../../platform/clock/clock.js';
import {
  selectDecisiveSubscription,
  getGraceEnd,
  isLive,
  isSubscribed,
  canManageSubscription,
  getPlanOfSubscription,
  type SubscriptionData,
  canOpenPortal,
} from './billing.policy.js';

const noon = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(noon.getTime() + ms);
const facts = (id: string, given: Partial<SubscriptionData> = {}): SubscriptionData => ({
  id,
  status: 'active',
  plan: 'starter',
  interval: 'monthly',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: later(30 * DAY),
  amount: 799,
  currency: 'USD',
  owedSince: null,
  paused: false,
  createdAt: noon,
  ...given,
});

describe('selectDecisiveSubscription', () => {
  it.each<[string, SubscriptionData[]]>([
    [
      'the subscription with the best status',
      [facts('debt', { status: 'past_due', plan: 'pro-creator' }), facts('chosen')],
    ],
    [
      'an active subscription before an ended one',
      [facts('old', { status: 'canceled', plan: 'pro-creator' }), facts('chosen')],
    ],
    [
      'the larger plan of two active subscriptions',
      [facts('small', { createdAt: later(1) }), facts('chosen', { plan: 'creator' })],
    ],
    ['the newer of two equal subscriptions', [facts('old'), facts('chosen', { createdAt: later(1) })]],
    ['the first in the list of two created in the same second', [facts('chosen'), facts('zzz')]],
    [
      'the newer of two ended subscriptions, whatever its plan',
      [
        facts('old', { status: 'canceled', plan: 'pro-creator' }),
        facts('chosen', { status: 'canceled', createdAt: later(1) }),
      ],
    ],
    ['a known status before an unknown one', [facts('new', { status: 'hibernating' }), facts('chosen')]],
  ])('selects %s', (_which, subscriptions) => {
    expect(selectDecisiveSubscription(subscriptions)?.id).toBe('chosen');
  });

  it('returns null without subscriptions', () => expect(selectDecisiveSubscription([])).toBeNull());
});

describe('getPlanOfSubscription', () => {
  it.each<[string, SubscriptionData | null, string]>([
    ['none', null, 'free'],
    ['active', facts('a'), 'starter'],
    ['trialing', facts('a', { status: 'trialing' }), 'starter'],
    ['of an unknown price', facts('a', { plan: null }), 'free'],
    ['past due for six days', facts('a', { status: 'past_due', owedSince: later(-6 * DAY) }), 'starter'],
    ['past due for seven days', facts('a', { status: 'past_due', owedSince: later(-7 * DAY) }), 'free'],
    ['unpaid', facts('a', { status: 'unpaid' }), 'free'],
    ['canceled', facts('a', { status: 'canceled' }), 'free'],
  ])('returns the plan for a subscription that is: %s', (_state, subscription, plan) => {
    expect(getPlanOfSubscription(subscription, noon)).toBe(plan);
  });

  it('has a grace period only while a payment is due', () => {
    expect(getGraceEnd(facts('a', { owedSince: noon }))).toBeNull();
    expect(getGraceEnd(facts('a', { status: 'past_due', owedSince: noon }))).toEqual(later(7 * DAY));
  });

  it.each([
    ['unpaid', true],
    ['paused', true],
    ['canceled', false],
    ['incomplete_expired', false],
  ])('treats the status %s as live: %s', (status, live) => {
    expect(isLive({ status })).toBe(live);
  });
});

describe('canManageSubscription', () => {
  it('allows every plan except the free one, which needs earlier invoices', () => {
    const never = { subscriptionId: null, status: 'active' };
    const of = (plan: string, subscriptionId: string | null, status: string) =>
      canManageSubscription({ plan, subscriptionId, status });
    expect([of('free', null, 'active'), of('enterprise', null, 'active')]).toEqual([false, true]);
    expect([of('free', 'sub_1', 'canceled'), of('free', 'sub_1', 'unpaid')]).toEqual([true, true]);
    expect(of('free', 'sub_1', 'incomplete_expired')).toBe(false);
    expect([isSubscribed(never), isSubscribed({ subscriptionId: 'sub_1', status: 'past_due' })]).toEqual([false, true]);
    expect(isSubscribed({ subscriptionId: 'sub_1', status: 'canceled' })).toBe(false);
  });
});

describe('canOpenPortal', () => {
  const paid = { customerId: 'cus_1', subscriptionId: 'sub_1', status: 'active', plan: 'starter' };
  it.each([
    ['an active subscription', paid, true],
    ['open invoices, on the free plan', { ...paid, status: 'canceled', plan: 'free' }, true],
    ['open invoices, on a plan by agreement', { ...paid, status: 'canceled', plan: 'enterprise' }, false],
    ['a subscription that was never paid', { ...paid, status: 'incomplete_expired', plan: 'free' }, false],
    ['no customer at Stripe', { ...paid, customerId: null }, false],
    ['a customer without subscriptions', { ...paid, subscriptionId: null, plan: 'free' }, false],
  ])('decides for a user with %s', (_, person, opens) => {
    expect(canOpenPortal(person)).toBe(opens);
  });
});
