import type { Schema } from '../../../shared/api/client';

/** Where pages stand below one another, in pixels. */
export interface PageLayout {
  readonly width: number;
  /** From the top of the list, a page each. */
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  readonly totalHeight: number;
}

/** A place in a document: the page, from 1, and how much of it is above, from 0 to 1. */
export interface PagePosition {
  readonly page: number;
  readonly fraction: number;
}

/** So many pages are in the document of the browser at most, and so many on each side of the one that is read. */
export const MAX_RENDERED_PAGES = 7;
export const PAGES_PER_SIDE = (MAX_RENDERED_PAGES - 1) / 2;

const PAGE_GAP = 16;
/** A page of A4, which stands for what is not known yet, or is broken. */
const A4_SIZE = { width: 595, height: 842 };

/**
 * @param sizes of the pages, in any unit
 * @param width of the list
 * @param least height of a page, so that those on each side of the one that is read fill the screen
 */
export function computePageLayout(
  sizes: readonly Schema<'PageSizeDto'>[],
  width: number,
  minHeight: number,
): PageLayout {
  const tops: number[] = [];
  const heights: number[] = [];
  let total = 0;
  for (const size of sizes) {
    const { width: w, height: h } = size.width > 0 && size.height > 0 ? size : A4_SIZE;
    tops.push(total);
    heights.push(Math.max(minHeight, Math.round((width * h) / w)));
    total += heights.at(-1)! + PAGE_GAP;
  }
  return { width, tops, heights, totalHeight: Math.max(0, total - PAGE_GAP) };
}

/** The width of a page by its height, as it is not turned. */
export const aspectRatioOf = ({ width, height }: Schema<'PageSizeDto'>) =>
  width > 0 && height > 0 ? width / height : A4_SIZE.width / A4_SIZE.height;

/** How far a document is turned, in quarters of a circle, clockwise. */
export type Rotation = 0 | 1 | 2 | 3;

/** The sizes of pages that are turned. */
export function rotateSizes(
  sizes: readonly Schema<'PageSizeDto'>[],
  rotation: Rotation,
): readonly Schema<'PageSizeDto'>[] {
  return rotation % 2 === 0 ? sizes : sizes.map(({ width, height }) => ({ width: height, height: width }));
}

/** How wide the server draws pages, in pixels. */
const RENDERED_WIDTHS = [600, 1200, 2000] as const;

/**
 * The picture of a page that is asked for. A page that is passed has the narrowest one that is read well, however dense
 * the screen: the next one is two to five times its bytes.
 * @param fit the width of the list without any zoom
 * @param shown the width at which the picture is shown, in pixels of the style sheet
 * @param isSharp as sharp as the screen is: wanted of what is zoomed, or read for a while
 * @param density pixels of the screen in one of those
 */
export function choosePageImageWidth(
  fitWidth: number,
  displayWidth: number,
  isSharp: boolean,
  density: number,
): number {
  const defaultWidth = fitWidth < 600 ? RENDERED_WIDTHS[0] : RENDERED_WIDTHS[1];
  if (!isSharp) return defaultWidth;
  return (
    RENDERED_WIDTHS.find((width) => width >= defaultWidth && width >= displayWidth * density) ?? RENDERED_WIDTHS[2]
  );
}

/** What stands at a height of the list. */
export function positionAt({ tops, heights }: PageLayout, y: number): PagePosition {
  let first = 0;
  let last = tops.length - 1;
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (tops[middle]! <= y) first = middle;
    else last = middle - 1;
  }
  const fraction = (y - (tops[first] ?? 0)) / (heights[first] ?? 1);
  return { page: first + 1, fraction: Math.min(1, Math.max(0, fraction)) };
}

/** The height at which a place stands. */
export function topOfPosition({ tops, heights }: PageLayout, { page, fraction }: PagePosition): number {
  const index = Math.min(page, tops.length) - 1;
  return (tops[index] ?? 0) + fraction * (heights[index] ?? 0);
}

/** The pages around the one that is read. */
export function pagesAround(page: number, count: number, radius = PAGES_PER_SIDE): number[] {
  const first = Math.max(1, page - radius);
  const last = Math.min(count, page + radius);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The number of a page in an address, or the first. */
export function toPageNumber(text: string | null): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
}
