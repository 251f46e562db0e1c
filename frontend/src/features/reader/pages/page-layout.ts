import type { Schema } from '../../../shared/api/client';

/** Vertical layout of the pages, in pixels. */
export interface PageLayout {
  readonly width: number;
  /** From the top of the list, one entry for each page. */
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  readonly totalHeight: number;
}

/** A position in a document: the page, from 1, and the fraction of it above the position, from 0 to 1. */
export interface PagePosition {
  readonly page: number;
  readonly fraction: number;
}

/** Maximum number of rendered pages, and of pages on each side of the current one. */
export const MAX_RENDERED_PAGES = 7;
export const PAGES_PER_SIDE = (MAX_RENDERED_PAGES - 1) / 2;

const PAGE_GAP = 16;
/** A4, used while a page's size is unknown or if it is invalid. */
const A4_SIZE = { width: 595, height: 842 };

/**
 * @param sizes sizes of the pages, in any unit
 * @param width width of the list
 * @param minHeight minimum height of a page, so that the pages around the current one fill the screen
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

/** Width divided by height, before rotation. */
export const aspectRatioOf = ({ width, height }: Schema<'PageSizeDto'>) =>
  width > 0 && height > 0 ? width / height : A4_SIZE.width / A4_SIZE.height;

/** Clockwise rotation in quarter turns. */
export type Rotation = 0 | 1 | 2 | 3;

/** Returns the page sizes after rotation. */
export function rotateSizes(
  sizes: readonly Schema<'PageSizeDto'>[],
  rotation: Rotation,
): readonly Schema<'PageSizeDto'>[] {
  return rotation % 2 === 0 ? sizes : sizes.map(({ width, height }) => ({ width: height, height: width }));
}

/** Widths in which the server renders pages, in pixels. */
const RENDERED_WIDTHS = [600, 1200, 2000] as const;

/**
 * Returns the image width to request for a page. Pages that are scrolled past get the narrowest readable width,
 * whatever the pixel density of the screen: the next width has two to five times the bytes.
 * @param fitWidth width of the list without zoom
 * @param displayWidth displayed width of the image, in CSS pixels
 * @param isSharp whether to match the screen's resolution: for zoomed pages and those being read
 * @param density device pixels per CSS pixel
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

/** Returns the position at a y coordinate of the list. */
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

/** Returns the y coordinate of a position. */
export function topOfPosition({ tops, heights }: PageLayout, { page, fraction }: PagePosition): number {
  const index = Math.min(page, tops.length) - 1;
  return (tops[index] ?? 0) + fraction * (heights[index] ?? 0);
}

/** Returns the pages around the current one. */
export function pagesAround(page: number, count: number, radius = PAGES_PER_SIDE): number[] {
  const first = Math.max(1, page - radius);
  const last = Math.min(count, page + radius);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Parses a page number from the URL; returns 1 if it is invalid. */
export function toPageNumber(text: string | null): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
}
