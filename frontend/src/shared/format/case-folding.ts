/** Letters that no decomposition takes apart, and what people type in their place. */
const letterReplacements: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
};

/** What two names are compared by, as the server does: without regard to case, and I, ı, İ and i are one letter. */
export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .replace(/[Iİı]/g, 'i')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .replace(/ς/g, 'σ')
    .normalize('NFC');
}

/**
 * What texts are searched by, as the server does: look-alikes as the letters they stand for, case folded, no accents and
 * no joiners (ZWNJ, ZWJ).
 */
export function normaliseForSearch(text: string): string {
  return foldCase(text.replace(/[\u200c\u200d]/g, '').normalize('NFKC'))
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øđłħŧæœ]/g, (letter) => letterReplacements[letter]!)
    .normalize('NFC');
}
