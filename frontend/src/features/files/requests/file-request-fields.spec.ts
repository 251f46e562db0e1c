import { findInvalidFields, toFields, toTerms } from './file-request-fields';

const request = {
  instructions: 'Your essay',
  closesAt: new Date(2026, 11, 31, 23, 5).toISOString(),
  isOpen: true,
  isPrivate: true,
  maxFilesPerPerson: 2,
  maxFileBytes: 1_500_000,
  sentFiles: 0,
  canSend: false,
};

describe('the fields of a file request', () => {
  it('keep the terms that they show', () => {
    const { isOpen: _, sentFiles: __, canSend: ___, ...terms } = request;
    expect(toFields(request)).toMatchObject({ date: '2026-12-31', time: '23:05', visibility: 'private' });
    expect(toTerms(toFields(request))).toEqual(terms);
    const open = { isPrivate: false, instructions: null, closesAt: null, maxFilesPerPerson: null, maxFileBytes: null };
    expect(toTerms(toFields({ ...request, ...open }))).toEqual(open);
  });

  it('accept a decimal comma and reject what cannot be saved', () => {
    const fields = toFields(null);
    expect(toTerms({ ...fields, maxMegabytes: '0,5' }).maxFileBytes).toBe(2 ** 19);
    const invalid = findInvalidFields({ ...fields, date: '2026-13-01', maxFiles: '1.5', maxMegabytes: 'x' });
    expect(invalid).toEqual({ date: true, maxFiles: true, maxMegabytes: true });
    expect(findInvalidFields(fields)).toEqual({ date: false, maxFiles: false, maxMegabytes: false });
  });
});
