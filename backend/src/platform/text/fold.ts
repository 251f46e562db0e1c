import { sql, type RawBuilder } from 'kysely';
import { composed, decomposed } from './composed.js';

/** Longest text that is searched or compared, with room for marks that fall together. */
const LONGEST_FOLDED = 5000;

/** Letters that no decomposition takes apart, and what people type in their place. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe' };
const WITHOUT_MARKS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/**
 * What two names are compared by: full case folding (ẞ, ß and ss are one, as are Σ, σ and ς), composed (NFC), and
 * I, ı, İ and i as one letter, because Turkish and English disagree on which of them belong together. Accents count.
 * Folding twice changes nothing. The page has the same function (`shared/format/fold.ts`).
 */
export function foldCase(text: string): string {
  const folded = composed(text, LONGEST_FOLDED)
    .replace(/[Iİı]/g, 'i')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .replace(/ς/g, 'σ');
  return composed(folded, LONGEST_FOLDED);
}

/** What texts are searched by: case folded, and without accents, so that "odev" finds "ödev". */
export function foldForSearch(text: string): string {
  const plain = decomposed(foldCase(text), LONGEST_FOLDED)
    .replace(/[\u0300-\u036f]/g, '')
    .replace(WITHOUT_MARKS, (letter) => PLAIN[letter]!);
  return composed(plain, LONGEST_FOLDED);
}

/**
 * The same in the database, for columns that an index over `search_fold(…)` finds. Fold both sides with it: of rare
 * letters the database and the program need not agree.
 */
export const searchFold = (text: RawBuilder<unknown> | string): RawBuilder<string> => sql<string>`search_fold(${text})`;
