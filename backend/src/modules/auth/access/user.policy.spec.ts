import { canReceiveAccountInvitation, getMissingProfileParts, needsProfileCompletion } from './user.policy.js';

const complete = { password: 'hash', username: 'ada', firstName: 'Ada', hasExternalIdentity: false };

describe('getMissingProfileParts', () => {
  it.each([
    [complete, false, false],
    [{ ...complete, password: null }, true, false],
    [{ ...complete, password: null, hasExternalIdentity: true }, false, false],
    [{ ...complete, username: null, hasExternalIdentity: true }, false, true],
    [{ ...complete, username: null }, false, true],
    [{ ...complete, firstName: null }, false, true],
    [{ ...complete, password: null, username: null, firstName: null }, false, true],
  ])('reports what is missing of %j', (user, requiresPasswordChange, requiresProfileCompletion) => {
    expect(getMissingProfileParts(user)).toEqual({ requiresPasswordChange, requiresProfileCompletion });
    expect(needsProfileCompletion(user)).toBe(requiresPasswordChange || requiresProfileCompletion);
  });
});

describe('canReceiveAccountInvitation', () => {
  const invited = {
    email: 'nora@example.com',
    password: null,
    hasExternalIdentity: false,
    emailVerified: false,
    isSuperAdmin: false,
  };

  it.each([
    ['an unused account', invited, true],
    ['an account with a verified address', { ...invited, emailVerified: true }, false],
    ['an account with a password', { ...invited, password: 'hash' }, false],
    ['an account with an SSO identity', { ...invited, hasExternalIdentity: true }, false],
    ['an account of a super admin', { ...invited, isSuperAdmin: true }, false],
    ['the account of SUPER_ADMIN_EMAIL', { ...invited, email: 'boss@example.com' }, false],
  ])('decides for %s (case %#)', (_what, user, expected) => {
    expect(canReceiveAccountInvitation(user, 'boss@example.com')).toBe(expected);
  });
});
