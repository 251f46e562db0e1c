import { plans } from './plan-catalogue.js';
import {
  buyable,
  coveredByGrant,
  effectivePlan,
  limitsOf,
  mayUpgrade,
  monthOf,
  planName,
  warningOf,
} from './plan.policy.js';

const ids = plans.map(({ id }) => id);

describe('whose plan is which', () => {
  it('is the larger one of what is paid for and what is granted', () => {
    for (const [n, subscribedPlan] of ids.entries()) {
      for (const [m, grantedPlan] of ids.entries()) {
        expect(effectivePlan({ subscribedPlan, grantedPlan })).toBe(ids[Math.max(n, m)]);
      }
      expect(effectivePlan({ subscribedPlan, grantedPlan: null })).toBe(subscribedPlan);
    }
  });

  it('falls back to free for what nobody knows', () => {
    expect(effectivePlan({ subscribedPlan: 'gold', grantedPlan: 'silver' })).toBe('free');
    expect([planName('gold'), planName('pro-creator')]).toEqual(['Always Free', 'Pro Creator']);
  });

  it('makes it pointless to buy what a grant covers', () => {
    expect(ids.map((plan) => coveredByGrant({ grantedPlan: 'creator' }, plan))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(ids.map((plan) => coveredByGrant({ grantedPlan: null }, plan))).toEqual([true, false, false, false, false]);
  });
});

describe('what a plan lets one do', () => {
  it('offers a larger one below enterprise, and never to super admins', () => {
    expect(ids.map((plan) => mayUpgrade({ plan, isSuperAdmin: false }))).toEqual([true, true, true, true, false]);
    expect(ids.some((plan) => mayUpgrade({ plan, isSuperAdmin: true }))).toBe(false);
  });

  it('sells what no agreement covers, and nothing to whom nothing is offered', () => {
    const bought = (grantedPlan: string | null, plan = grantedPlan ?? 'free', isSuperAdmin = false) =>
      buyable({ grantedPlan, plan, isSuperAdmin });
    expect(bought(null)).toEqual(['starter', 'creator', 'pro-creator']);
    expect(bought(null, 'creator')).toEqual(['starter', 'creator', 'pro-creator']);
    expect(bought('creator')).toEqual(['pro-creator']);
    expect(bought('enterprise')).toEqual([]);
    expect(bought(null, 'free', true)).toEqual([]);
  });
});

describe('limits', () => {
  const agreed = { zones: 7, people: 12, bytes: null, mails: 56, invites: 9 };

  it('are the plan’s, or those agreed on for enterprise', () => {
    expect(limitsOf('starter', agreed, false)).toEqual(plans[1]!.limits);
    expect(limitsOf('enterprise', agreed, false)).toEqual(agreed);
    expect(limitsOf('enterprise', null, false)).toEqual({
      zones: null,
      people: null,
      bytes: null,
      mails: null,
      invites: null,
    });
  });

  it('do not count the mails and invitations of super admins, and everything else of theirs', () => {
    expect(limitsOf('free', null, true)).toEqual({ ...plans[0]!.limits, mails: null, invites: null });
    expect(limitsOf('enterprise', agreed, true)).toEqual({ ...agreed, mails: null, invites: null });
  });

  it.each([
    [79, 100, null],
    [80, 100, 80],
    [99, 100, 80],
    [100, 100, 100],
    [101, 100, 100],
    [0, 0, null],
    [1, 0, 100],
    [4, 5, 80],
    [1_000_000, null, null],
  ])('of which %s of %s is used deserve the warning %s', (used, allowed, warning) => {
    expect(warningOf(used, allowed)).toBe(warning);
  });
});

it('a month is that of UTC', () => {
  expect(monthOf(new Date('2026-12-01T02:30:00+03:00'))).toBe('2026-11');
});
