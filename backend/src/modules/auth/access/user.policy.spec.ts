import { missingParts, needsProfileCompletion } from './user.policy.js';

const complete = { password: 'hash', username: 'ada', firstName: 'Ada', hasExternalIdentity: false };

describe('what an account still needs', () => {
  it.each([
    [complete, false, false],
    [{ ...complete, password: null }, true, false],
    [{ ...complete, password: null, hasExternalIdentity: true }, false, false],
    [{ ...complete, username: null, hasExternalIdentity: true }, false, true],
    [{ ...complete, username: null }, false, true],
    [{ ...complete, firstName: null }, false, true],
    [{ ...complete, password: null, username: null, firstName: null }, false, true],
  ])('%j', (user, requiresPasswordChange, requiresProfileCompletion) => {
    expect(missingParts(user)).toEqual({ requiresPasswordChange, requiresProfileCompletion });
    expect(needsProfileCompletion(user)).toBe(requiresPasswordChange || requiresProfileCompletion);
  });
});
