import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { isStaff, decideAccess, type RouteAccess } from './access.policy.js';

const viewer = (more: Partial<Viewer> = {}): Viewer => ({
  userId: 1,
  email: 'ada@example.com',
  role: 'user',
  isSuperAdmin: false,
  language: 'en',
  restricted: false,
  hasIncompleteProfile: false,
  needsMfaSetup: false,
  sessionId: 1,
  isReauthenticated: false,
  scope: null,
  ...more,
});
const token = (scope: 'read' | 'write' | 'admin', more: Partial<Viewer> = {}) =>
  viewer({ sessionId: null, scope, ...more });
const route = (access: RouteAccess['access'], more: Partial<RouteAccess> = {}): RouteAccess => ({
  access,
  method: 'POST',
  allowRestricted: false,
  allowIncompleteProfile: false,
  skipMfaRequirement: false,
  sessionOnly: false,
  confirmed: false,
  ...more,
});

describe('decideAccess', () => {
  it.each([
    ['allows a public route without a session', null, route('public'), 'ok'],
    ['rejects a signed-in route without a session', null, route('signed-in'), 'NOT_SIGNED_IN'],
    ['allows a session', viewer(), route('signed-in'), 'ok'],
    ['rejects a restricted session', viewer({ restricted: true }), route('signed-in'), 'PROFILE_INCOMPLETE'],
    [
      'allows a restricted session on a route that permits it',
      viewer({ restricted: true }),
      route('signed-in', { allowRestricted: true }),
      'ok',
    ],
    [
      'allows a user with an incomplete profile to read',
      viewer({ hasIncompleteProfile: true }),
      route('signed-in', { method: 'GET' }),
      'ok',
    ],
    [
      'rejects a user with an incomplete profile who writes',
      viewer({ hasIncompleteProfile: true }),
      route('signed-in'),
      'PROFILE_INCOMPLETE',
    ],
    [
      'allows a user with an incomplete profile to write on a route that permits it',
      viewer({ hasIncompleteProfile: true }),
      route('signed-in', { allowIncompleteProfile: true }),
      'ok',
    ],
    [
      'allows a user with an incomplete profile to complete the profile',
      viewer({ hasIncompleteProfile: true, needsMfaSetup: true }),
      route('signed-in', { allowRestricted: true }),
      'ok',
    ],
    [
      'rejects a user with an incomplete profile in the administration',
      viewer({ hasIncompleteProfile: true, isSuperAdmin: true }),
      route('admin', { method: 'GET' }),
      'PROFILE_INCOMPLETE',
    ],
    [
      'rejects an admin without the required second factor, even for reading',
      viewer({ hasIncompleteProfile: true, needsMfaSetup: true }),
      route('signed-in', { method: 'GET' }),
      'FACTOR_NEEDED',
    ],
    [
      'rejects a restricted session on a route for users with an incomplete profile',
      viewer({ restricted: true, hasIncompleteProfile: true }),
      route('signed-in', { allowIncompleteProfile: true }),
      'PROFILE_INCOMPLETE',
    ],
    [
      'rejects an admin without the required second factor',
      viewer({ needsMfaSetup: true }),
      route('signed-in'),
      'FACTOR_NEEDED',
    ],
    [
      'rejects a token of an admin without the required second factor',
      token('read', { needsMfaSetup: true }),
      route('signed-in', { method: 'GET' }),
      'FACTOR_NEEDED',
    ],
    [
      'allows an admin to set up the second factor',
      viewer({ needsMfaSetup: true }),
      route('signed-in', { skipMfaRequirement: true }),
      'ok',
    ],
    [
      'allows an admin without a second factor to complete the profile',
      viewer({ needsMfaSetup: true, restricted: true }),
      route('signed-in', { allowRestricted: true }),
      'ok',
    ],
    ['allows a session on a session-only route', viewer(), route('signed-in', { sessionOnly: true }), 'ok'],
    [
      'allows a request from a page opened for the same account',
      viewer(),
      route('signed-in', { pageAccountId: '1' }),
      'ok',
    ],
    [
      'rejects a request from a page opened for another account',
      viewer(),
      route('signed-in', { pageAccountId: '2' }),
      'ACCOUNT_CHANGED',
    ],
    [
      'allows a public route from a page opened for another account',
      viewer(),
      route('public', { pageAccountId: '2' }),
      'ok',
    ],
    ['ignores the page account for tokens', token('write'), route('signed-in', { pageAccountId: '2' }), 'ok'],
    [
      'rejects a token on a session-only route',
      token('admin'),
      route('signed-in', { sessionOnly: true }),
      'SESSION_REQUIRED',
    ],
    [
      'allows a reauthenticated session on a route that requires it',
      viewer({ isReauthenticated: true }),
      route('signed-in', { confirmed: true }),
      'ok',
    ],
    [
      'rejects a session without reauthentication on a route that requires it',
      viewer(),
      route('signed-in', { confirmed: true }),
      'CONFIRMATION_REQUIRED',
    ],
    [
      'rejects a reauthenticated user without permission',
      viewer({ isReauthenticated: true }),
      route('admin', { confirmed: true }),
      'FORBIDDEN',
    ],
    ['allows a read token to read', token('read'), route('signed-in', { method: 'GET' }), 'ok'],
    ['rejects a read token that writes', token('read'), route('signed-in'), 'TOKEN_READ_ONLY'],
    ['rejects a read token that writes on a public route', token('read'), route('public'), 'TOKEN_READ_ONLY'],
    ['allows a read token to read a public route', token('read'), route('public', { method: 'HEAD' }), 'ok'],
    ['allows a write token on a public route', token('write'), route('public'), 'ok'],
    ['allows a write token to write', token('write'), route('signed-in'), 'ok'],
    ['rejects a user on an admin route', viewer(), route('admin'), 'FORBIDDEN'],
    ['allows an admin on an admin route', viewer({ role: 'admin' }), route('admin'), 'ok'],
    ['rejects an admin on a super admin route', viewer({ role: 'admin' }), route('super-admin'), 'FORBIDDEN'],
    ['allows a super admin on every route', viewer({ isSuperAdmin: true }), route('super-admin'), 'ok'],
    [
      "rejects an admin's token without the admin scope",
      token('write', { isSuperAdmin: true }),
      route('admin'),
      'FORBIDDEN',
    ],
    [
      "allows a super admin's token with the admin scope",
      token('admin', { isSuperAdmin: true }),
      route('super-admin'),
      'ok',
    ],
    ['rejects an admin-scope token of a former admin', token('admin'), route('admin'), 'FORBIDDEN'],
  ] as const)('%s', (_who, person, declared, verdict) => {
    expect(decideAccess(person, declared)).toBe(verdict);
  });
});

it.each([
  ['user', false, false],
  ['admin', false, true],
  ['user', true, true],
] as const)('isStaff for the role %s and the super admin flag %s returns %s', (role, isSuperAdmin, expected) => {
  expect(isStaff({ role, isSuperAdmin })).toBe(expected);
});
