import { sql, type RawBuilder } from 'kysely';
import { toNfc, toNfd, toNfkc } from './unicode-normalisation.js';
import { removeJoiners } from './invisible-characters.js';

/** Longest text that is searched or compared, with room for marks that fall together. */
const MAX_FOLDED_LENGTH = 5000;
/** One letter stands for up to eighteen (U+FDFA); what was short enough before is still taken apart then. */
const MAX_EXPANDED_LENGTH = 18 * MAX_FOLDED_LENGTH;

/** Letters that no decomposition takes apart, and what people type in their place. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
};
const WITHOUT_MARKS = new RegExp(`[${Object.keys(LETTER_REPLACEMENTS).join('')}]`, 'gu');

/**
 * What two names are compared by: full case folding (ẞ, ß and ss are one, as are Σ, σ and ς), composed (NFC), and
 * I, ı, İ and i as one letter, because Turkish and English disagree on which of them belong together. Accents count.
 * Folding twice changes nothing. The page has the same function (`shared/format/case-folding.ts`).
 */
export const normaliseForComparison = (text: string): string => foldToLength(text, MAX_FOLDED_LENGTH);

function foldToLength(text: string, longest: number): string {
  const folded = toNfc(text, longest)
    .replace(/[Iİı]/g, 'i')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .replace(/ς/g, 'σ');
  return toNfc(folded, longest);
}

/**
 * What texts are searched by: look-alikes as the letters that they stand for (NFKC: full-width letters, ligatures), case
 * folded, without joiners, and without accents, so that "odev" finds "ödev". Only U+0300 to U+036F are accents: the vowels of Thai and
 * Hindi are marks as well.
 */
export function normaliseForSearch(text: string): string {
  const longest = text.length > MAX_FOLDED_LENGTH ? MAX_FOLDED_LENGTH : MAX_EXPANDED_LENGTH;
  const plain = toNfd(foldToLength(toNfkc(removeJoiners(text), MAX_FOLDED_LENGTH), longest), longest)
    .replace(/[\u0300-\u036f]/g, '')
    .replace(WITHOUT_MARKS, (letter) => LETTER_REPLACEMENTS[letter]!);
  return toNfc(plain, longest);
}

/**
 * The same in the database, for columns that an index over `search_fold(…)` finds. Fold both sides with it: a database
 * of another version of Unicode folds the letters differently that only one of both versions knows.
 */
export const normaliseForSearchSql = (text: RawBuilder<unknown> | string): RawBuilder<string> =>
  sql<string>`search_fold(${text})`;
