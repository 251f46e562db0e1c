import { canLiftSuppression, getUserAbilities, getUserState, getZoneAbilities } from './admin.policy.js';

const viewers = {
  user: { userId: 1, role: 'user', isSuperAdmin: false },
  admin: { userId: 1, role: 'admin', isSuperAdmin: false },
  superAdmin: { userId: 1, role: 'user', isSuperAdmin: true },
} as const;
const someone = { id: 2, role: 'user', isSuperAdmin: false, deactivatedAt: null } as const;
const accounts = {
  person: someone,
  'shut out person': { ...someone, deactivatedAt: new Date() },
  admin: { ...someone, role: 'admin' },
  'super admin': { ...someone, isSuperAdmin: true },
  self: { ...someone, id: 1, role: 'admin', isSuperAdmin: true },
} as const;

describe('what may be done with an account', () => {
  it.each([
    ['user', 'person', []],
    ['user', 'self', []],
    ['admin', 'person', ['endSessions', 'sendReset']],
    ['admin', 'shut out person', ['endSessions']],
    ['admin', 'admin', []],
    ['admin', 'super admin', []],
    ['admin', 'self', []],
    [
      'superAdmin',
      'person',
      ['deactivate', 'changeRole', 'changePlan', 'changeEmail', 'resetFactors', 'endSessions', 'sendReset', 'delete'],
    ],
    [
      'superAdmin',
      'shut out person',
      ['activate', 'changeRole', 'changePlan', 'changeEmail', 'resetFactors', 'endSessions', 'delete'],
    ],
    [
      'superAdmin',
      'admin',
      ['deactivate', 'changeRole', 'changePlan', 'changeEmail', 'resetFactors', 'endSessions', 'sendReset', 'delete'],
    ],
    [
      'superAdmin',
      'super admin',
      ['deactivate', 'changeRole', 'changePlan', 'changeEmail', 'resetFactors', 'endSessions', 'sendReset', 'delete'],
    ],
    ['superAdmin', 'self', ['changePlan']],
  ] as const)('by %s: %s', (viewer, account, allowed) => {
    const abilities = getUserAbilities(viewers[viewer], accounts[account]);
    expect(Object.entries(abilities).flatMap(([name, yes]) => (yes ? [name] : []))).toEqual(allowed);
  });
});

it('zones are deleted by super admins only', () => {
  expect([viewers.user, viewers.admin, viewers.superAdmin].map((viewer) => getZoneAbilities(viewer).delete)).toEqual([
    false,
    false,
    true,
  ]);
});

it.each([
  [null, true, false, 'active'],
  [null, false, false, 'pending'],
  [null, false, true, 'active'],
  [new Date(), true, false, 'deactivated'],
  [new Date(), false, true, 'deactivated'],
] as const)(
  'deactivated at %s, verified %s, super admin %s: %s',
  (deactivatedAt, emailVerified, isSuperAdmin, state) => {
    expect(getUserState({ deactivatedAt, emailVerified, isSuperAdmin })).toBe(state);
  },
);

it('only failures are lifted', () => {
  expect(['failed', 'complaint', 'erased'].map(canLiftSuppression)).toEqual([true, false, false]);
});
