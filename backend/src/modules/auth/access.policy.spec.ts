import type { Viewer } from '../../platform/http/viewer.js';
import { isStaff, mayCall, type RouteAccess } from './access.policy.js';

const viewer = (more: Partial<Viewer> = {}): Viewer => ({
  userId: 1,
  email: 'ada@example.com',
  role: 'user',
  isSuperAdmin: false,
  language: 'en',
  restricted: false,
  sessionId: 1,
  scope: null,
  ...more,
});
const token = (scope: 'read' | 'write' | 'admin', more: Partial<Viewer> = {}) =>
  viewer({ sessionId: null, scope, ...more });
const route = (access: RouteAccess['access'], more: Partial<RouteAccess> = {}): RouteAccess => ({
  access,
  method: 'POST',
  allowRestricted: false,
  sessionOnly: false,
  ...more,
});

describe('who may call a route', () => {
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
    ['a session where only sessions may', viewer(), route('signed-in', { sessionOnly: true }), 'ok'],
    ['no token there', token('admin'), route('signed-in', { sessionOnly: true }), 'SESSION_REQUIRED'],
    ['a reading token to look', token('read'), route('signed-in', { method: 'GET' }), 'ok'],
    ['no reading token to change', token('read'), route('signed-in'), 'FORBIDDEN'],
    ['a writing token', token('write'), route('signed-in'), 'ok'],
    ['no ordinary person an admin’s', viewer(), route('admin'), 'FORBIDDEN'],
    ['an admin an admin’s', viewer({ role: 'admin' }), route('admin'), 'ok'],
    ['no admin a super admin’s', viewer({ role: 'admin' }), route('super-admin'), 'FORBIDDEN'],
    ['a super admin all', viewer({ isSuperAdmin: true }), route('super-admin'), 'ok'],
    ['no token of an admin without the scope', token('write', { isSuperAdmin: true }), route('admin'), 'FORBIDDEN'],
    ['a token of an admin with the scope', token('admin', { isSuperAdmin: true }), route('super-admin'), 'ok'],
    ['no such token of somebody who is none any more', token('admin'), route('admin'), 'FORBIDDEN'],
  ] as const)('%s', (_who, person, declared, verdict) => {
    expect(mayCall(person, declared)).toBe(verdict);
  });
});

it.each([
  ['user', false, false],
  ['admin', false, true],
  ['user', true, true],
] as const)('a %s whose super flag is %s is staff: %s', (role, isSuperAdmin, expected) => {
  expect(isStaff({ role, isSuperAdmin })).toBe(expected);
});
