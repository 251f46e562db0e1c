import { foldCase, normaliseForSearch } from './case-folding';

it.each([
  ['ISI.pdf', ' ısı.pdf '],
  ['STRAẞE', 'strasse'],
  ['ΑΣ', 'ασ'],
])('folds %s and "%s" to the same name', (one, other) => expect(foldCase(one)).toBe(foldCase(other)));

it('distinguishes accents in names but ignores them in searches', () => {
  expect(foldCase('Ödev')).not.toBe(foldCase('Odev'));
  expect(normaliseForSearch('Ödev Çağrı Łódź')).toBe('odev cagri lodz');
  expect(normaliseForSearch('Ｏｄｅｖ ﬁ')).toBe('odev fi');
  expect(normaliseForSearch('می\u200cخواهم')).toBe('میخواهم');
});
