import { missingParts, needsProfileCompletion } from './user.policy.js';

const complete = { password: 'hash', username: 'ada', firstName: 'Ada' };

describe('what an account still needs', () => {
  it.each([
    [complete, false, false],
    [{ ...complete, password: null }, true, false],
    [{ ...complete, username: null }, false, true],
    [{ ...complete, firstName: null }, false, true],
    [{ password: null, username: null, firstName: null }, false, true],
  ])('%j', (user, requiresPasswordChange, requiresProfileCompletion) => {
    expect(missingParts(user)).toEqual({ requiresPasswordChange, requiresProfileCompletion });
    expect(needsProfileCompletion(user)).toBe(requiresPasswordChange || requiresProfileCompletion);
  });
});
