import fc from 'fast-check';
import { quotedPrintable } from './compose-email.js';

/** Decodes the text like an email client. */
function decode(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

describe('quotedPrintable', () => {
  it('keeps plain text and normalises line endings to CRLF', () => {
    expect(quotedPrintable('one\ntwo\r\nthree\rfour')).toBe('one\r\ntwo\r\nthree\r\nfour');
  });

  it('encodes non-ASCII characters, equals signs and trailing spaces', () => {
    expect(quotedPrintable('ığdır = 1 \nnext')).toBe('=C4=B1=C4=9Fd=C4=B1r =3D 1=20\r\nnext');
    expect(quotedPrintable('tab\t')).toBe('tab=09');
  });

  it('round-trips any text in lines of at most 76 ASCII characters', () => {
    const letters = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('=', ' ', '\n', 'ş', '😀', 'a'.repeat(80)),
    );
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 60 }), (parts) => {
        const text = parts.join('').toWellFormed();
        const encoded = quotedPrintable(text);
        expect(decode(encoded)).toBe(text.replace(/\r\n|\r|\n/g, '\r\n'));
        for (const line of encoded.split('\r\n')) {
          expect(line.length).toBeLessThanOrEqual(76);
          expect(line).toMatch(/^[\x20-\x7e]*$/);
          expect(line).not.toMatch(/[ \t]$/);
        }
      }),
    );
  });
});
