import { approverAfter, suggestionAbilities, tellsSubmitter } from './suggestion.policy.js';

describe('what one may do with suggestions', () => {
  it.each([
    ['user', false, { update: false, delete: false }],
    ['admin', false, { update: true, delete: false }],
    ['user', true, { update: true, delete: true }],
    ['admin', true, { update: true, delete: true }],
  ] as const)('as %s (super admin: %s)', (role, isSuperAdmin, abilities) => {
    expect(suggestionAbilities({ role, isSuperAdmin })).toEqual(abilities);
  });
});

describe('the submitter', () => {
  const change = { before: 'pending', after: 'approved', submittedById: 1, actorId: 2 } as const;

  it.each([
    ['is told of a new status', {}, true],
    ['is not told of the same one', { after: 'pending' }, false],
    ['is not told of what they did themselves', { actorId: 1 }, false],
    ['is not told when they are gone', { submittedById: null }, false],
  ] as const)('%s', (_, more, told) => {
    expect(tellsSubmitter({ ...change, ...more })).toBe(told);
  });
});

describe('the one who approved', () => {
  it.each([
    ['pending', null, 'approved', 7],
    ['pending', null, 'in-progress', 7],
    ['approved', 3, 'completed', 3],
    ['approved', 3, 'rejected', null],
    ['rejected', null, 'approved', 7],
    ['pending', null, 'rejected', null],
  ] as const)('of %s by %s, then %s, is %s', (status, approvedById, after, expected) => {
    expect(approverAfter({ status, approvedById }, after, 7)).toBe(expected);
  });
});
