import { foldCase, normaliseForSearch } from './case-folding';

it.each([
  ['ISI.pdf', ' ısı.pdf '],
  ['STRAẞE', 'strasse'],
  ['ΑΣ', 'ασ'],
])('%s and "%s" are one name', (one, other) => expect(foldCase(one)).toBe(foldCase(other)));

it('accents make two names, and are found without', () => {
  expect(foldCase('Ödev')).not.toBe(foldCase('Odev'));
  expect(normaliseForSearch('Ödev Çağrı Łódź')).toBe('odev cagri lodz');
  expect(normaliseForSearch('Ｏｄｅｖ ﬁ')).toBe('odev fi');
  expect(normaliseForSearch('می\u200cخواهم')).toBe('میخواهم');
});
