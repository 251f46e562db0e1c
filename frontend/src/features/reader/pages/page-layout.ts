import type { Schema } from '../../../shared/api/client';

/** Where pages stand below one another, in pixels. */
export interface PageLayout {
  readonly width: number;
  /** From the top of the list, a page each. */
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  readonly total: number;
}

/** A place in a document: the page, from 1, and how much of it is above, from 0 to 1. */
export interface Place {
  readonly page: number;
  readonly at: number;
}

/** So many pages are in the document of the browser at most, and so many on each side of the one that is read. */
export const shownPages = 7;
export const aside = (shownPages - 1) / 2;

const gap = 16;
/** A page of A4, which stands for what is not known yet, or is broken. */
const usual = { width: 595, height: 842 };

/**
 * @param sizes of the pages, in any unit
 * @param width of the list
 * @param least height of a page, so that those on each side of the one that is read fill the screen
 */
export function layoutOf(sizes: readonly Schema<'PageSizeDto'>[], width: number, least: number): PageLayout {
  const tops: number[] = [];
  const heights: number[] = [];
  let total = 0;
  for (const size of sizes) {
    const { width: w, height: h } = size.width > 0 && size.height > 0 ? size : usual;
    tops.push(total);
    heights.push(Math.max(least, Math.round((width * h) / w)));
    total += heights.at(-1)! + gap;
  }
  return { width, tops, heights, total: Math.max(0, total - gap) };
}

/** The width of a page by its height, as it is not turned. */
export const ratioOf = ({ width, height }: Schema<'PageSizeDto'>) =>
  width > 0 && height > 0 ? width / height : usual.width / usual.height;

/** How far a document is turned, in quarters of a circle, clockwise. */
export type Turn = 0 | 1 | 2 | 3;

/** The sizes of pages that are turned. */
export function turned(sizes: readonly Schema<'PageSizeDto'>[], turn: Turn): readonly Schema<'PageSizeDto'>[] {
  return turn % 2 === 0 ? sizes : sizes.map(({ width, height }) => ({ width: height, height: width }));
}

/** How wide the server draws pages, in pixels. */
const drawn = [600, 1200, 2000] as const;

/**
 * The picture of a page that is asked for. A page that is passed has the narrowest one that is read well, however dense
 * the screen: the next one is two to five times its bytes.
 * @param fit the width of the list without any zoom
 * @param shown the width at which the picture is shown, in pixels of the style sheet
 * @param isSharp as sharp as the screen is: wanted of what is zoomed, or read for a while
 * @param density pixels of the screen in one of those
 */
export function pictureWidth(fit: number, shown: number, isSharp: boolean, density: number): number {
  const usual = fit < 600 ? drawn[0] : drawn[1];
  if (!isSharp) return usual;
  return drawn.find((width) => width >= usual && width >= shown * density) ?? drawn[2];
}

/** What stands at a height of the list. */
export function placeAt({ tops, heights }: PageLayout, y: number): Place {
  let first = 0;
  let last = tops.length - 1;
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (tops[middle]! <= y) first = middle;
    else last = middle - 1;
  }
  const at = (y - (tops[first] ?? 0)) / (heights[first] ?? 1);
  return { page: first + 1, at: Math.min(1, Math.max(0, at)) };
}

/** The height at which a place stands. */
export function topOf({ tops, heights }: PageLayout, { page, at }: Place): number {
  const index = Math.min(page, tops.length) - 1;
  return (tops[index] ?? 0) + at * (heights[index] ?? 0);
}

/** The pages around the one that is read. */
export function pagesAround(page: number, count: number, reach = aside): number[] {
  const first = Math.max(1, page - reach);
  const last = Math.min(count, page + reach);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** The number of a page in an address, or the first. */
export function toPageNumber(text: string | null): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
}
