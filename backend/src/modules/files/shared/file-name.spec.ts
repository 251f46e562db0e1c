import fc from 'fast-check';
import {
  cleanName,
  normaliseName,
  extensionOf,
  MAX_NAME_BYTES,
  numberedName,
  withOriginalExtension,
} from './file-name.js';

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

describe('cleanName', () => {
  it.each([
    ['plain name.txt', 'plain name.txt'],
    ['  Go\u0308rev ', 'Görev'],
    ['a/b\\c.txt', 'a-b-c.txt'],
    ['a\u202etxt.exe', 'atxt.exe'],
    ['a\ufffdb.txt', 'a_b.txt'],
    ['..', '_'],
    ['\u200b', '_'],
    ['', '_'],
    ['\ud800', '_'],
    [`${'ğ'.repeat(200)}.pdf`, `${'ğ'.repeat(125)}.pdf`],
    ['x'.repeat(2000), 'x'.repeat(255)],
  ])('turns %j into %j', (raw, cleaned) => expect(cleanName(raw)).toBe(cleaned));

  it('always returns a name that is accepted and stays the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
        const cleaned = cleanName(raw);
        expect(normaliseName(cleaned, 'name')).toBe(cleaned);
      }),
    );
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

  it('shortens an extension that would leave no room for the number', () => {
    const numbered = numberedName(`a.${'x'.repeat(253)}`, 1);
    expect(numbered).toBe(`a.${'x'.repeat(249)} (1)`);
  });

  it('never exceeds the maximum length or splits a character', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 99_999 }), (name, number) => {
        const numbered = numberedName(name, number);
        expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(Math.max(MAX_NAME_BYTES, Buffer.byteLength(name)));
        expect(numbered.isWellFormed()).toBe(name.isWellFormed());
      }),
    );
  });
});
