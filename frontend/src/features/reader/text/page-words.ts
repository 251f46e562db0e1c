import type { Schema } from '../../../shared/api/client';

/** A word with its x, y, width and height in thousandths of the page. */
export type Word = readonly [text: string, x: number, y: number, w: number, h: number];

/** An area of a page, in thousandths of the page. */
export interface PageRect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Words next to each other on one line. */
export interface Line extends PageRect {
  readonly words: readonly Word[];
}

/** Ends a word that continues as the next word, on the next line. */
export const SOFT_HYPHEN = '\u00ad';
/** Longer lines are split. */
const MAX_WORDS_PER_LINE = 100;

/** Casts the words of a response, whose tuple type OpenAPI can't express. */
export const toWords = ({ words }: Schema<'PageTextDto'>) => words as unknown as readonly Word[];

/** Groups the words of a page into lines, in text order. */
export function groupIntoLines(words: readonly Word[]): Line[] {
  const lines: Word[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const previous = line?.at(-1);
    if (line && previous && line.length < MAX_WORDS_PER_LINE && isOnSameLine(previous, word)) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => ({ words: line, ...boundingRect(line) }));
}

/** Whether the middle of the shorter word is within the height of the other. */
function isOnSameLine([, , y, , h]: Word, [, , nextY, , nextH]: Word): boolean {
  const [middle, range] = nextH < h ? [nextY + nextH / 2, [y, y + h]] : [y + h / 2, [nextY, nextY + nextH]];
  return middle >= range[0]! && middle <= range[1]!;
}

function boundingRect(words: readonly Word[]): PageRect {
  const x = Math.min(...words.map((word) => word[1]));
  const y = Math.min(...words.map((word) => word[2]));
  const right = Math.max(...words.map((word) => word[1] + word[3]));
  const bottom = Math.max(...words.map((word) => word[2] + word[4]));
  return { x, y, w: right - x, h: bottom - y };
}

export const chunk = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Returns a word with the separator to the next one, as it appears in selected text. */
export function withSeparator(text: string, isLast: boolean): string {
  if (text.endsWith(SOFT_HYPHEN)) return text;
  return text + (isLast ? '\n' : ' ');
}

/**
 * Normalises selected text for the clipboard: joins words hyphenated at line ends. Firefox inserts empty lines between
 * the lines of a page, also after hyphens.
 */
export const normaliseCopiedText = (selected: string) =>
  selected
    .replace(new RegExp(`${SOFT_HYPHEN}\\n*`, 'g'), '')
    .replace(/\s*\n/g, '\n')
    .trim();

/**
 * Returns the words that cover a range of the page's text. The text is the words joined by spaces, without a space
 * after a soft hyphen.
 * @param from start of the range, in UTF-16 code units
 */
export function wordsInRange(words: readonly Word[], from: number, length: number): Word[] {
  const matches: Word[] = [];
  let offset = 0;
  for (const word of words) {
    if (offset >= from + length) break;
    const end = offset + word[0].length;
    if (end > from) matches.push(word);
    offset = word[0].endsWith(SOFT_HYPHEN) ? end : end + 1;
  }
  return matches;
}
