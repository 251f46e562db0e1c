import type { Schema } from '../../../shared/api/client';

/** A word, and x, y, width and height of it in thousandths of the page. */
export type Word = readonly [text: string, x: number, y: number, w: number, h: number];

/** A part of the page, in thousandths of it. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Words that stand side by side. */
export interface Line extends Box {
  readonly words: readonly Word[];
}

/** Ends a word that goes on in the next line, as the next word. */
export const hyphen = '\u00ad';
/** A line that is longer is put in as several. */
const mostInLine = 100;

/** The words of an answer, whose type the server's description cannot say. */
export const wordsOf = ({ words }: Schema<'PageTextDto'>) => words as unknown as readonly Word[];

/** The lines of a page, in the order in which its words follow one another. */
export function linesOf(words: readonly Word[]): Line[] {
  const lines: Word[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (line && before && line.length < mostInLine && isBeside(before, word)) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => ({ words: line, ...around(line) }));
}

/** The middle of the lower one of two words is in the height of the other. */
function isBeside([, , y, , h]: Word, [, , nextY, , nextH]: Word): boolean {
  const [low, high] = nextH < h ? [nextY + nextH / 2, [y, y + h]] : [y + h / 2, [nextY, nextY + nextH]];
  return low >= high[0]! && low <= high[1]!;
}

function around(words: readonly Word[]): Box {
  const x = Math.min(...words.map((word) => word[1]));
  const y = Math.min(...words.map((word) => word[2]));
  const right = Math.max(...words.map((word) => word[1] + word[3]));
  const bottom = Math.max(...words.map((word) => word[2] + word[4]));
  return { x, y, w: right - x, h: bottom - y };
}

export const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** What a word adds to a text that is selected: what parts it from the next one, too. */
export function copied(text: string, isLast: boolean): string {
  if (text.endsWith(hyphen)) return text;
  return text + (isLast ? '\n' : ' ');
}

/**
 * A text that was selected, as it is wanted elsewhere: words that a line's end parts are whole again. Firefox puts empty lines
 * between the lines of a page, after hyphens too.
 */
export const asCopied = (selected: string) =>
  selected
    .replace(new RegExp(`${hyphen}\\n*`, 'g'), '')
    .replace(/\s*\n/g, '\n')
    .trim();

/**
 * The words that hold a part of the text of a page, which is its words with a space between two, and none after a hyphen.
 * @param from where it begins, in units of UTF-16
 */
export function wordsAt(words: readonly Word[], from: number, length: number): Word[] {
  const held: Word[] = [];
  let at = 0;
  for (const word of words) {
    if (at >= from + length) break;
    const end = at + word[0].length;
    if (end > from) held.push(word);
    at = word[0].endsWith(hyphen) ? end : end + 1;
  }
  return held;
}
