import { resolveApprover, suggestionAbilities, shouldNotifySubmitter } from './suggestion.policy.js';

describe('suggestionAbilities by role', () => {
  it.each([
    ['user', false, { update: false, delete: false, merge: false }],
    ['admin', false, { update: true, delete: false, merge: true }],
    ['user', true, { update: true, delete: true, merge: true }],
    ['admin', true, { update: true, delete: true, merge: true }],
  ] as const)('returns the abilities of %s (super admin: %s)', (role, isSuperAdmin, abilities) => {
    const other = { status: 'approved', isOwn: false, isMerged: false } as const;
    const rest = { edit: false, vote: true, unmerge: false };
    expect(suggestionAbilities({ role, isSuperAdmin }, other)).toEqual({ ...abilities, ...rest });
    const merged = { update: false, merge: false, vote: false, unmerge: abilities.merge };
    expect(suggestionAbilities({ role, isSuperAdmin }, { ...other, isMerged: true })).toMatchObject(merged);
  });
});

describe('suggestionAbilities by status', () => {
  it.each([
    ['pending', true, { edit: true, vote: true }],
    ['pending', false, { edit: false, vote: true }],
    ['approved', true, { edit: false, vote: true }],
    ['rejected', true, { edit: false, vote: false }],
  ] as const)('returns the abilities for the status %s (own: %s)', (status, isOwn, abilities) => {
    expect(
      suggestionAbilities({ role: 'user', isSuperAdmin: false }, { status, isOwn, isMerged: false }),
    ).toMatchObject(abilities);
    const merged = suggestionAbilities({ role: 'user', isSuperAdmin: false }, { status, isOwn, isMerged: true });
    expect(merged).toMatchObject({ edit: false, vote: false });
  });
});

describe('Suggestion author', () => {
  const change = { before: 'pending', after: 'approved', submittedById: 1, actorId: 2 } as const;

  it.each([
    ['is notified of a new status', {}, true],
    ['is not notified of an unchanged status', { after: 'pending' }, false],
    ['is not notified of their own changes', { actorId: 1 }, false],
    ['is not notified after deleting the account', { submittedById: null }, false],
  ] as const)('%s', (_, more, expected) => {
    expect(shouldNotifySubmitter({ ...change, ...more })).toBe(expected);
  });
});

describe('resolveApprover', () => {
  it.each([
    ['pending', null, 'approved', 7],
    ['pending', null, 'in-progress', 7],
    ['approved', 3, 'completed', 3],
    ['approved', 3, 'rejected', null],
    ['rejected', null, 'approved', 7],
    ['pending', null, 'rejected', null],
  ] as const)('returns the approver for a change from %s by %s to %s: %s', (status, approvedById, after, expected) => {
    expect(resolveApprover({ status, approvedById }, after, 7)).toBe(expected);
  });
});
