import { safeAttachmentName } from './attachment-list.js';

describe('safeAttachmentName', () => {
  it.each([
    ['without folders', '/home/ada\\notes/plan.txt', 'plan.txt'],
    ['without control characters', 'a\u0000\u202eb\r\n.txt', 'ab.txt'],
    ['by its number where nothing is left', '../..', 'attachment-3'],
    ['of 255 characters at most, none of which is cut', `${'a'.repeat(254)}😀.txt`, `${'a'.repeat(254)}😀`],
  ])('returns the name %s', (_how, name, expected) => {
    expect(safeAttachmentName(name, 3)).toBe(expected);
    expect(expected.isWellFormed()).toBe(true);
  });
});
