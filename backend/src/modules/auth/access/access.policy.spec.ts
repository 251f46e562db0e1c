import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { isStaff, decideAccess, type RouteAccess } from './access.policy.js';

const viewer = (more: Partial<Viewer> = {}): Viewer => ({
  userId: 1,
  email: 'ada@example.com',
  role: 'user',
  isSuperAdmin: false,
  language: 'en',
  restricted: false,
  isReader: false,
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
  allowReader: false,
  skipMfaRequirement: false,
  sessionOnly: false,
  confirmed: false,
  ...more,
});

describe('decideAccess allows', () => {
  it.each([
    ['anybody a public one', null, route('public'), 'ok'],
    ['nobody signed out another', null, route('signed-in'), 'NOT_SIGNED_IN'],
    ['a session', viewer(), route('signed-in'), 'ok'],
    ['no restricted session', viewer({ restricted: true }), route('signed-in'), 'PROFILE_INCOMPLETE'],
    [
      'a restricted session where it says so',
      viewer({ restricted: true }),
      route('signed-in', { allowRestricted: true }),
      'ok',
    ],
    ['a reader who reads', viewer({ isReader: true }), route('signed-in', { method: 'GET' }), 'ok'],
    ['no reader who writes', viewer({ isReader: true }), route('signed-in'), 'PROFILE_INCOMPLETE'],
    [
      'a reader who changes what is their own',
      viewer({ isReader: true }),
      route('signed-in', { allowReader: true }),
      'ok',
    ],
    [
      'a reader who finishes the profile',
      viewer({ isReader: true, needsMfaSetup: true }),
      route('signed-in', { allowRestricted: true }),
      'ok',
    ],
    [
      'no reader in the administration',
      viewer({ isReader: true, isSuperAdmin: true }),
      route('admin', { method: 'GET' }),
      'PROFILE_INCOMPLETE',
    ],
    [
      'no admin who reads without the factor that is asked of them',
      viewer({ isReader: true, needsMfaSetup: true }),
      route('signed-in', { method: 'GET' }),
      'FACTOR_NEEDED',
    ],
    [
      'no restricted session where readers may',
      viewer({ restricted: true, isReader: true }),
      route('signed-in', { allowReader: true }),
      'PROFILE_INCOMPLETE',
    ],
    [
      'no admin without the factor that is asked of them',
      viewer({ needsMfaSetup: true }),
      route('signed-in'),
      'FACTOR_NEEDED',
    ],
    [
      'no token of theirs either',
      token('read', { needsMfaSetup: true }),
      route('signed-in', { method: 'GET' }),
      'FACTOR_NEEDED',
    ],
    [
      'them where factors are set up',
      viewer({ needsMfaSetup: true }),
      route('signed-in', { skipMfaRequirement: true }),
      'ok',
    ],
    [
      'them to finish a profile first',
      viewer({ needsMfaSetup: true, restricted: true }),
      route('signed-in', { allowRestricted: true }),
      'ok',
    ],
    ['a session where only sessions may', viewer(), route('signed-in', { sessionOnly: true }), 'ok'],
    ['what was opened for them', viewer(), route('signed-in', { pageAccountId: '1' }), 'ok'],
    ['nothing that was opened for another', viewer(), route('signed-in', { pageAccountId: '2' }), 'ACCOUNT_CHANGED'],
    ['what is public, opened for anybody', viewer(), route('public', { pageAccountId: '2' }), 'ok'],
    ['what a token asks, whatever it says', token('write'), route('signed-in', { pageAccountId: '2' }), 'ok'],
    ['no token there', token('admin'), route('signed-in', { sessionOnly: true }), 'SESSION_REQUIRED'],
    [
      'a confirmed session where it says so',
      viewer({ isReauthenticated: true }),
      route('signed-in', { confirmed: true }),
      'ok',
    ],
    ['no other session there', viewer(), route('signed-in', { confirmed: true }), 'CONFIRMATION_REQUIRED'],
    ['nobody there who may not', viewer({ isReauthenticated: true }), route('admin', { confirmed: true }), 'FORBIDDEN'],
    ['a reading token to look', token('read'), route('signed-in', { method: 'GET' }), 'ok'],
    ['no reading token to change', token('read'), route('signed-in'), 'TOKEN_READ_ONLY'],
    ['nor by what is open to everybody', token('read'), route('public'), 'TOKEN_READ_ONLY'],
    ['a reading token to look at what is', token('read'), route('public', { method: 'HEAD' }), 'ok'],
    ['a writing token to change by what is', token('write'), route('public'), 'ok'],
    ['a writing token', token('write'), route('signed-in'), 'ok'],
    ['no ordinary person an admin’s', viewer(), route('admin'), 'FORBIDDEN'],
    ['an admin an admin’s', viewer({ role: 'admin' }), route('admin'), 'ok'],
    ['no admin a super admin’s', viewer({ role: 'admin' }), route('super-admin'), 'FORBIDDEN'],
    ['a super admin all', viewer({ isSuperAdmin: true }), route('super-admin'), 'ok'],
    ['no token of an admin without the scope', token('write', { isSuperAdmin: true }), route('admin'), 'FORBIDDEN'],
    ['a token of an admin with the scope', token('admin', { isSuperAdmin: true }), route('super-admin'), 'ok'],
    ['no such token of somebody who is none any more', token('admin'), route('admin'), 'FORBIDDEN'],
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
