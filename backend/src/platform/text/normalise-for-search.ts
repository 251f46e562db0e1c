import { sql, type RawBuilder } from 'kysely';
import { toNfc, toNfd, toNfkc } from './unicode-normalisation.js';
import { removeJoiners } from './invisible-characters.js';

/** Longest text that is searched or compared, with room for combining marks. */
const MAX_FOLDED_LENGTH = 5000;
/** One character may expand to up to eighteen (U+FDFA); expanded text is still decomposed up to this length. */
const MAX_EXPANDED_LENGTH = 18 * MAX_FOLDED_LENGTH;

/** Letters without a Unicode decomposition, and what people type instead of them. */
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
 * Normalises a name for comparison: full case folding (ẞ, ß and ss are equal, as are Σ, σ and ς) and NFC. I, ı, İ and i
 * are equal, because Turkish and English disagree on their case pairs. Accents are significant. Idempotent. The
 * frontend has the same function (`shared/format/case-folding.ts`).
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
 * Normalises a text for searching: NFKC (full-width letters, ligatures), case folding, and without joiners and accents,
 * so that "odev" finds "ödev". Only U+0300 to U+036F count as accents, because Thai and Hindi vowels are combining
 * marks as well.
 */
export function normaliseForSearch(text: string): string {
  const longest = text.length > MAX_FOLDED_LENGTH ? MAX_FOLDED_LENGTH : MAX_EXPANDED_LENGTH;
  const plain = toNfd(foldToLength(toNfkc(removeJoiners(text), MAX_FOLDED_LENGTH), longest), longest)
    .replace(/[\u0300-\u036f]/g, '')
    .replace(WITHOUT_MARKS, (letter) => LETTER_REPLACEMENTS[letter]!);
  return toNfc(plain, longest);
}

/**
 * The same in SQL, for columns with an index on `search_fold(…)`. Apply it to both sides of a comparison: the database
 * may have another Unicode version than Node.js, and they differ for letters that only one of them knows.
 */
export const normaliseForSearchSql = (text: RawBuilder<unknown> | string): RawBuilder<string> =>
  sql<string>`search_fold(${text})`;
