import { safeAttachmentName } from './attachment-list.js';

describe('safeAttachmentName', () => {
  it.each([
    ['without folders', '/home/ada\\notes/plan.txt', 'plan.txt'],
    ['without control characters', 'a\u0000\u202eb\r\n.txt', 'ab.txt'],
    ['from its number when nothing remains', '../..', 'attachment-3'],
    ['of at most 255 characters, without cutting one in half', `${'a'.repeat(254)}😀.txt`, `${'a'.repeat(254)}😀`],
  ])('returns the name %s', (_how, name, expected) => {
    expect(safeAttachmentName(name, 3)).toBe(expected);
    expect(expected.isWellFormed()).toBe(true);
  });
});
