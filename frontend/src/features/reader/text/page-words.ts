import type { Schema } from '../../../shared/api/client';

/** A word, and x, y, width and height of it in thousandths of the page. */
export type Word = readonly [text: string, x: number, y: number, w: number, h: number];

/** A part of the page, in thousandths of it. */
export interface PageRect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Words that stand side by side. */
export interface Line extends PageRect {
  readonly words: readonly Word[];
}

/** Ends a word that goes on in the next line, as the next word. */
export const SOFT_HYPHEN = '\u00ad';
/** A line that is longer is put in as several. */
const MAX_WORDS_PER_LINE = 100;

/** The words of an answer, whose type the server's description cannot say. */
export const toWords = ({ words }: Schema<'PageTextDto'>) => words as unknown as readonly Word[];

/** The lines of a page, in the order in which its words follow one another. */
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

/** The middle of the lower one of two words is in the height of the other. */
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

/** What a word adds to a text that is selected: what parts it from the next one, too. */
export function withSeparator(text: string, isLast: boolean): string {
  if (text.endsWith(SOFT_HYPHEN)) return text;
  return text + (isLast ? '\n' : ' ');
}

/**
 * A text that was selected, as it is wanted elsewhere: words that a line's end parts are whole again. Firefox puts empty lines
 * between the lines of a page, after hyphens too.
 */
export const normaliseCopiedText = (selected: string) =>
  selected
    .replace(new RegExp(`${SOFT_HYPHEN}\\n*`, 'g'), '')
    .replace(/\s*\n/g, '\n')
    .trim();

/**
 * The words that hold a part of the text of a page, which is its words with a space between two, and none after a hyphen.
 * @param from where it begins, in units of UTF-16
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
