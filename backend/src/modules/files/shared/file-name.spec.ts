import fc from 'fast-check';
import { normaliseName, extensionOf, MAX_NAME_BYTES, numberedName, withOriginalExtension } from './file-name.js';

describe('normaliseName', () => {
  it('composes and trims the name and keeps the rest', () => {
    expect(normaliseName('  Go\u0308re\u0301v  ', 'name')).toBe('Görév');
    expect(normaliseName('👩‍👩‍👧 ı İ.txt', 'name')).toBe('👩‍👩‍👧 ı İ.txt');
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    '...',
    'a/b',
    'a\\b',
    'a\0b',
    'a\nb',
    'a\u007fb',
    '\ud800',
    'a\ufffdb',
    'a\u202eb',
    '\u200b\ufeff',
    '\u3164\u2800',
    'x'.repeat(256),
  ])('rejects %j with a message for its field', (name) => {
    const details = { errors: { name: [{ en: expect.any(String), tr: expect.any(String) }] } };
    expect(() => normaliseName(name, 'name')).toThrow(expect.objectContaining({ code: 'INVALID_NAME', details }));
  });

  it('counts bytes, not characters', () => {
    expect(normaliseName('ğ'.repeat(127), 'name')).toHaveLength(127);
    expect(() => normaliseName('ğ'.repeat(128), 'name')).toThrow('INVALID_NAME');
  });
});

describe('File extensions', () => {
  it.each([
    ['a.txt', '.txt'],
    ['a.tar.gz', '.gz'],
    ['.hidden', ''],
    ['a.', ''],
    ['a', ''],
  ])('extensionOf %s is "%s"', (name, extension) => expect(extensionOf(name)).toBe(extension));

  it.each([
    ['a.txt', 'b', 'b.txt'],
    ['a.txt', 'b.TXT', 'b.TXT'],
    ['a.txt', 'b.pdf', 'b.pdf.txt'],
    ['a.tar.gz', 'b', 'b.tar.gz'],
    ['a.tar.gz', 'b.tar.gz', 'b.tar.gz'],
    ['a.tar.gz', 'b.TAR.GZ', 'b.TAR.GZ'],
    ['a.tar.gz', 'b.gz', 'b.gz'],
    ['a.tar.gz', 'b.zip', 'b.zip.tar.gz'],
    ['.tar.gz', 'b', 'b.gz'],
    ['a', 'b', 'b'],
    ['a', 'b.txt', 'b.txt'],
    ['.hidden', 'shown', 'shown'],
  ])('withOriginalExtension keeps the extension of %s renamed to %s: %s', (before, wanted, after) =>
    expect(withOriginalExtension(before, wanted, 'name')).toBe(after),
  );

  it('withOriginalExtension rejects a name that becomes too long', () => {
    expect(() => withOriginalExtension('a.txt', 'x'.repeat(252), 'name')).toThrow('INVALID_NAME');
  });
});

describe('numberedName', () => {
  it('inserts the number before the extension', () => {
    expect(numberedName('a.txt', 1)).toBe('a (1).txt');
    expect(numberedName('a', 12)).toBe('a (12)');
    expect(numberedName('a.tar.gz', 2)).toBe('a (2).tar.gz');
  });

  it('never exceeds the maximum length or splits a character', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 99_999 }), (name, number) => {
        if (Buffer.byteLength(extensionOf(name)) > 200) return;
        const numbered = numberedName(name, number);
        expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(Math.max(MAX_NAME_BYTES, Buffer.byteLength(name)));
        expect(numbered.isWellFormed()).toBe(name.isWellFormed());
      }),
    );
  });
});
