import { canSend, decideSubmission } from './file-request.policy.js';

const open = { isOpen: true, maxFilesPerPerson: 3, sentFiles: 1 };

describe('decideSubmission', () => {
  it.each([
    [open, 2, 'ok'],
    [open, 3, 'FILE_REQUEST_LIMIT'],
    [{ ...open, maxFilesPerPerson: null }, 1000, 'ok'],
    [{ ...open, isOpen: false }, 1, 'FILE_REQUEST_CLOSED'],
    [{ ...open, isOpen: false, sentFiles: 3 }, 1, 'FILE_REQUEST_CLOSED'],
  ] as const)('decides about %j and %i more files: %s', (terms, count, expected) => {
    expect(decideSubmission(terms, count)).toBe(expected);
  });
});

describe('canSend', () => {
  it('is true for members while the request accepts another file', () => {
    expect(canSend('member', open)).toBe(true);
    expect(canSend('member', { ...open, sentFiles: 3 })).toBe(false);
    expect(canSend('member', { ...open, isOpen: false })).toBe(false);
    expect(canSend('owner', open)).toBe(false);
    expect(canSend('admin', open)).toBe(false);
  });
});
