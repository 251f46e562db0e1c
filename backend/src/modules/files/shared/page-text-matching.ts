import type { PageWord } from '../../../platform/rendering/rendering-protocol.js';
import { normaliseForSearch } from '../../../platform/text/normalise-for-search.js';

/** Marks the end of a word that continues with the next word, on the next line. */
const SOFT_HYPHEN = '\u00ad';
const SOFT_HYPHENS = /\u00ad/gu;
/** Number of context characters on each side of a match. */
const CONTEXT_LENGTH = 60;

/** Position of a match in UTF-16 code units, with its surrounding text. */
export interface TextMatch {
  readonly from: number;
  readonly length: number;
  readonly around: string;
}

/**
 * Builds the text of a page: its words separated by spaces, without a space after a soft hyphen, where a word continues
 * on the next line.
 */
export function joinWords(words: readonly PageWord[]): string {
  return words
    .map(([word]) => (word.endsWith(SOFT_HYPHEN) ? word : `${word} `))
    .join('')
    .trimEnd();
}

/** Normalises a search query like the texts; runs of white space become a single space. */
export function normaliseQuery(q: string): string {
  return normaliseForSearch(q.replace(SOFT_HYPHENS, '').replace(/\s+/gu, ' ').trim());
}

/**
 * Finds non-overlapping matches, starting from the beginning of the text.
 * @param normalised result of `normaliseQuery`; an empty query matches nothing
 */
export function findMatches(text: string, normalised: string, limit: number): TextMatch[] {
  const found: TextMatch[] = [];
  if (normalised === '') return found;
  const words = locateWords(text);
  const folded = words.map((word) => word.folded).join(' ');
  for (
    let at = folded.indexOf(normalised);
    at >= 0 && found.length < limit;
    at = folded.indexOf(normalised, at + normalised.length)
  ) {
    const from = toOriginalOffset(words, at, 'first');
    const to = toOriginalOffset(words, at + normalised.length - 1, 'last');
    found.push({ from, length: to - from, around: textAround(text, from, to) });
  }
  return found;
}

interface WordPosition {
  readonly word: string;
  readonly folded: string;
  /** Start offset in the original text, and in the normalised text. */
  readonly at: number;
  readonly foldedAt: number;
}

function locateWords(text: string): WordPosition[] {
  let [at, foldedAt] = [0, 0];
  return text.split(' ').map((word) => {
    const folded = foldWord(word);
    const here = { word, folded, at, foldedAt };
    at += word.length + 1;
    foldedAt += folded.length + 1;
    return here;
  });
}

const foldWord = (word: string): string =>
  /^[\x21-\x7e]*$/u.test(word) ? word.toLowerCase() : normaliseForSearch(word.replace(SOFT_HYPHENS, ''));

/** Maps a character of the normalised text to its start or end offset in the original text. */
function toOriginalOffset(words: readonly WordPosition[], letter: number, edge: 'first' | 'last'): number {
  const { word, at, folded, foldedAt } = findWordAt(words, letter);
  const inside = letter - foldedAt;
  // The space after the word.
  if (inside >= folded.length) return at + word.length + (edge === 'last' ? 1 : 0);
  let [plain, seen] = [0, 0];
  for (const cluster of word.match(/\P{M}?\p{M}*/gsu) ?? []) {
    seen += foldWord(cluster).length;
    if (inside < seen) return at + plain + (edge === 'last' ? cluster.length : 0);
    plain += cluster.length;
  }
  // The characters only normalise in combination, so return the bounds of the whole word.
  return at + (edge === 'last' ? word.length : 0);
}

/** Returns the last word that starts at or before the offset. */
function findWordAt(words: readonly WordPosition[], letter: number): WordPosition {
  let [low, high] = [0, words.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (words[middle]!.foldedAt <= letter) low = middle;
    else high = middle - 1;
  }
  return words[low]!;
}

/** Returns the match with its context, cut at word boundaries where a space is near. */
function textAround(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - CONTEXT_LENGTH), from);
  const after = text.slice(to, to + CONTEXT_LENGTH);
  const begin = from > CONTEXT_LENGTH ? before.replace(/^\S*\s/u, '') : before;
  const end = to + CONTEXT_LENGTH < text.length ? after.replace(/\s\S*$/u, '') : after;
  return (begin + text.slice(from, to) + end).replace(SOFT_HYPHENS, '').toWellFormed().trim();
}
