/** Letters that Unicode doesn't decompose, and what people type instead. */
const letterReplacements: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
};

/** Normalises names for comparison like the server does: case-insensitive, and I, ı, İ and i are the same letter. */
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
 * Normalises text for searching like the server does: compatibility characters replaced, case folded, no accents, no
 * joiners (ZWNJ, ZWJ).
 */
export function normaliseForSearch(text: string): string {
  return foldCase(text.replace(/[\u200c\u200d]/g, '').normalize('NFKC'))
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øđłħŧæœ]/g, (letter) => letterReplacements[letter]!)
    .normalize('NFC');
}
