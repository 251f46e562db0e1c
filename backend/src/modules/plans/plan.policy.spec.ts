import { plans } from './plan-catalogue.js';
import {
  listBuyablePlans,
  isCoveredWithoutPayment,
  getEffectivePlan,
  getPlanLimits,
  canUpgrade,
  toMonth,
  getOwnPlan,
  getPlanName,
  getWarningLevel,
} from './plan.policy.js';

const ids = plans.map(({ id }) => id);

describe('Effective plan', () => {
  it('is the largest of the subscribed, granted and default plans', () => {
    for (const [n, subscribedPlan] of ids.entries()) {
      for (const [m, grantedPlan] of ids.entries()) {
        expect(getOwnPlan({ subscribedPlan, grantedPlan })).toBe(ids[Math.max(n, m)]);
        for (const [k, defaultPlan] of ids.entries()) {
          expect(getEffectivePlan({ subscribedPlan, grantedPlan, defaultPlan })).toBe(ids[Math.max(n, m, k)]);
        }
      }
      expect(getEffectivePlan({ subscribedPlan, grantedPlan: null, defaultPlan: 'free' })).toBe(subscribedPlan);
    }
  });

  it('falls back to free for unknown plans', () => {
    expect(getEffectivePlan({ subscribedPlan: 'gold', grantedPlan: 'silver', defaultPlan: 'bronze' })).toBe('free');
    expect([getPlanName('gold'), getPlanName('pro-creator')]).toEqual(['Always Free', 'Pro Creator']);
  });

  it('makes buying plans pointless that are covered without payment', () => {
    const covered = (grantedPlan: string | null, defaultPlan = 'free') =>
      ids.filter((plan) => isCoveredWithoutPayment({ grantedPlan, defaultPlan }, plan));
    expect(covered('creator')).toEqual(['free', 'starter', 'creator']);
    expect(covered(null)).toEqual(['free']);
    expect(covered('starter', 'creator')).toEqual(['free', 'starter', 'creator']);
    expect(covered('creator', 'starter')).toEqual(['free', 'starter', 'creator']);
  });
});

describe('Plan purchases', () => {
  it('offers an upgrade below enterprise and never to super admins', () => {
    expect(ids.map((plan) => canUpgrade({ plan, isSuperAdmin: false }))).toEqual([true, true, true, true, false]);
    expect(ids.some((plan) => canUpgrade({ plan, isSuperAdmin: true }))).toBe(false);
  });

  it('sells only plans above the granted one, and none to super admins', () => {
    const bought = (grantedPlan: string | null, plan = grantedPlan ?? 'free', isSuperAdmin = false) =>
      listBuyablePlans({ grantedPlan, defaultPlan: 'free', plan, isSuperAdmin });
    expect(bought(null)).toEqual(['starter', 'creator', 'pro-creator']);
    expect(bought(null, 'creator')).toEqual(['starter', 'creator', 'pro-creator']);
    expect(bought('creator')).toEqual(['pro-creator']);
    expect(bought('enterprise')).toEqual([]);
    expect(bought(null, 'free', true)).toEqual([]);
  });
});

describe('Plan limits', () => {
  const agreed = { zones: 7, people: 12, bytes: null, mails: 56, invites: 9 };

  it('uses the limits of the plan or, for enterprise, the agreed limits', () => {
    expect(getPlanLimits('starter', agreed, false)).toEqual(plans[1]!.limits);
    expect(getPlanLimits('enterprise', agreed, false)).toEqual(agreed);
    expect(getPlanLimits('enterprise', null, false)).toEqual({
      zones: null,
      people: null,
      bytes: null,
      mails: null,
      invites: null,
    });
  });

  it('returns no limits for super admins', () => {
    const none = { zones: null, people: null, bytes: null, mails: null, invites: null };
    expect(getPlanLimits('free', null, true)).toEqual(none);
    expect(getPlanLimits('enterprise', agreed, true)).toEqual(none);
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
  ])('warns at %s of %s used: %s', (used, allowed, warning) => {
    expect(getWarningLevel(used, allowed)).toBe(warning);
  });
});

it('toMonth uses UTC', () => {
  expect(toMonth(new Date('2026-12-01T02:30:00+03:00'))).toBe('2026-11');
});
