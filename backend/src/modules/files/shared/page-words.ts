import type { PageWord } from '../../../platform/drawing/drawing-protocol.js';
import { foldForSearch } from '../../../platform/text/fold.js';

/** Ends a word that goes on in the next line, as the next word. */
const HYPHEN = '\u00ad';
const HYPHENS = /\u00ad/gu;
/** Letters told on either side of what was found. */
const AROUND = 60;

/** Where something was found in a text, in units of UTF-16, and what stands around it. */
export interface Found {
  readonly from: number;
  readonly length: number;
  readonly around: string;
}

/** The text of a page: its words, a space between two; none after the hyphen at which a word goes on in the next line. */
export function textOf(words: readonly PageWord[]): string {
  return words
    .map(([word]) => (word.endsWith(HYPHEN) ? word : `${word} `))
    .join('')
    .trimEnd();
}

/** What somebody looks for, as texts are compared; a space stands for all that is between two words. */
export function wantedOf(q: string): string {
  return foldForSearch(q.replace(HYPHENS, '').replace(/\s+/gu, ' ').trim());
}

/**
 * Where a text holds what is wanted, from its beginning, none within another.
 * @param wanted as `wantedOf` gives it; nothing is found nowhere
 */
export function foundIn(text: string, wanted: string, most: number): Found[] {
  const found: Found[] = [];
  if (wanted === '') return found;
  const words = placed(text);
  const folded = words.map((word) => word.folded).join(' ');
  for (
    let at = folded.indexOf(wanted);
    at >= 0 && found.length < most;
    at = folded.indexOf(wanted, at + wanted.length)
  ) {
    const from = unfolded(words, at, 'first');
    const to = unfolded(words, at + wanted.length - 1, 'last');
    found.push({ from, length: to - from, around: around(text, from, to) });
  }
  return found;
}

interface Placed {
  readonly word: string;
  readonly folded: string;
  /** Where it begins in the text, and in the text as it is compared. */
  readonly at: number;
  readonly foldedAt: number;
}

function placed(text: string): Placed[] {
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
  /^[\x21-\x7e]*$/u.test(word) ? word.toLowerCase() : foldForSearch(word.replace(HYPHENS, ''));

/** Where a letter of the text as it is compared begins in the text, or ends. */
function unfolded(words: readonly Placed[], letter: number, edge: 'first' | 'last'): number {
  const { word, at, folded, foldedAt } = wordAt(words, letter);
  const inside = letter - foldedAt;
  // The space after the word.
  if (inside >= folded.length) return at + word.length + (edge === 'last' ? 1 : 0);
  let [plain, seen] = [0, 0];
  for (const cluster of word.match(/\P{M}?\p{M}*/gsu) ?? []) {
    seen += foldWord(cluster).length;
    if (inside < seen) return at + plain + (edge === 'last' ? cluster.length : 0);
    plain += cluster.length;
  }
  // Letters that are one only together: the whole word.
  return at + (edge === 'last' ? word.length : 0);
}

/** The last word that begins there or before. */
function wordAt(words: readonly Placed[], letter: number): Placed {
  let [low, high] = [0, words.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (words[middle]!.foldedAt <= letter) low = middle;
    else high = middle - 1;
  }
  return words[low]!;
}

/** The words on either side, whole ones where there is a space near. */
function around(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - AROUND), from);
  const after = text.slice(to, to + AROUND);
  const begin = from > AROUND ? before.replace(/^\S*\s/u, '') : before;
  const end = to + AROUND < text.length ? after.replace(/\s\S*$/u, '') : after;
  return (begin + text.slice(from, to) + end).replace(HYPHENS, '').toWellFormed().trim();
}
