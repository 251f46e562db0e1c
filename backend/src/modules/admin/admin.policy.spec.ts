import { canLiftSuppression, getUserAbilities, getUserState, getZoneAbilities } from './admin.policy.js';

const viewers = {
  user: { userId: 1, role: 'user', isSuperAdmin: false },
  admin: { userId: 1, role: 'admin', isSuperAdmin: false },
  superAdmin: { userId: 1, role: 'user', isSuperAdmin: true },
} as const;
const someone = { id: 2, role: 'user', isSuperAdmin: false, deactivatedAt: null } as const;
const accounts = {
  person: someone,
  'deactivated person': { ...someone, deactivatedAt: new Date() },
  admin: { ...someone, role: 'admin' },
  'super admin': { ...someone, isSuperAdmin: true },
  self: { ...someone, id: 1, role: 'admin', isSuperAdmin: true },
} as const;

describe('Account actions in the administration', () => {
  it.each([
    ['user', 'person', []],
    ['user', 'self', []],
    ['admin', 'person', ['endSessions', 'sendReset']],
    ['admin', 'deactivated person', ['endSessions']],
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
      'deactivated person',
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
  ] as const)('depend on the viewer (%s) and the account (%s)', (viewer, account, allowed) => {
    const abilities = getUserAbilities(viewers[viewer], accounts[account]);
    expect(Object.entries(abilities).flatMap(([name, yes]) => (yes ? [name] : []))).toEqual(allowed);
  });
});

it('only super admins may delete zones', () => {
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
  'getUserState with deactivatedAt %s, emailVerified %s and isSuperAdmin %s returns %s',
  (deactivatedAt, emailVerified, isSuperAdmin, state) => {
    expect(getUserState({ deactivatedAt, emailVerified, isSuperAdmin })).toBe(state);
  },
);

it('only failures can be lifted from the suppression list', () => {
  expect(['failed', 'complaint', 'erased'].map(canLiftSuppression)).toEqual([true, false, false]);
});
