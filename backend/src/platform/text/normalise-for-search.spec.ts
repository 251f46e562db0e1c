import fc from 'fast-check';
import { normaliseForComparison, normaliseForSearch } from './normalise-for-search.js';

/** All Unicode characters, from which the tests also derive upper and lower case. */
const letters = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

describe('normaliseForComparison', () => {
  it.each([
    ['ISI.pdf', 'ısı.pdf'],
    ['İSİ.pdf', 'isi.pdf'],
    ['ISI', 'isi'],
    ['İ', 'i\u0307'],
    ['STRASSE', 'straße'],
    ['STRAẞE', 'strasse'],
    ['ẞ', 'ß'],
    ['É', 'e\u0301'],
    ['ΑΣ', 'ας'],
    ['ΑΣΑ', 'ασα'],
    ['ﬁle', 'FILE'],
  ])('treats %s and %s as equal', (one, other) =>
    expect(normaliseForComparison(one)).toBe(normaliseForComparison(other)),
  );

  it.each([
    ['a', 'b'],
    ['c', 'ç'],
    ['s', 'ş'],
    ['g', 'ğ'],
    ['a.txt', 'a .txt'],
  ])('distinguishes %s from %s', (one, other) =>
    expect(normaliseForComparison(one)).not.toBe(normaliseForComparison(other)),
  );

  it('is idempotent for every Unicode letter in any case', () => {
    const unstable = letters.filter((letter) => {
      const key = normaliseForComparison(letter);
      return (
        normaliseForComparison(key) !== key ||
        normaliseForComparison(letter.toUpperCase()) !== key ||
        normaliseForComparison(letter.toLowerCase()) !== key
      );
    });
    expect(unstable).toEqual([]);
  });

  it('gives the same result for a text and its normalised form', () => {
    const texts = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(
        texts,
        (text) => normaliseForComparison(normaliseForComparison(text)) === normaliseForComparison(text),
      ),
    );
    fc.assert(fc.property(texts, (text) => normaliseForSearch(normaliseForSearch(text)) === normaliseForSearch(text)));
  });
});

describe('normaliseForSearch', () => {
  it.each([
    ['ödev', 'odev'],
    ['ÖDEV', 'odev'],
    ['Çağrı', 'cagri'],
    ['ŞIK', 'sik'],
    ['İstanbul', 'istanbul'],
    ['résumé', 'resume'],
    ['e\u0301', 'e'],
    ['Łódź', 'lodz'],
    ['Ærøskøbing', 'aeroskobing'],
    ['STRAẞE', 'strasse'],
    ['Ｏｄｅｖ', 'odev'],
    ['ﬁle', 'FILE'],
    ['ﻻ', 'لا'],
    ['می\u200cخواهم', 'میخواهم'],
    ['क्\u200dष', 'क्ष'],
  ])('matches %s with %s', (text, typed) => expect(normaliseForSearch(text)).toBe(normaliseForSearch(typed)));

  it('expands characters that stand for many letters', () => {
    expect(normaliseForSearch('ﷺ'.repeat(400) + 'é')).toBe(normaliseForSearch('ﷺ').repeat(400) + 'e');
  });

  it('keeps marks that are not accents', () => {
    expect(normaliseForSearch('日本 ё.txt')).toBe('日本 е.txt');
    expect(normaliseForSearch('a_b%c')).toBe('a_b%c');
    expect(normaliseForSearch('กี่ कि')).toBe('กี่ कि');
  });

  it('is idempotent for every Unicode letter', () => {
    expect(
      letters.filter((letter) => normaliseForSearch(normaliseForSearch(letter)) !== normaliseForSearch(letter)),
    ).toEqual([]);
  });
});
