import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../../../shared/api/client';
import type { Point, ReaderView } from '../controls/use-reader-view';
import { computePageLayout, positionAt, topOfPosition, type PageLayout, type PagePosition } from './page-layout';

/** The page a third below the top of the screen is the current one. */
const readingLine = () => window.innerHeight / 3;

/** The point that stays in place during a zoom: a position in the document and its place on the screen. */
interface ScrollAnchor extends Point {
  readonly position: PagePosition;
  /** Fraction of the page to the left of the point, from 0 to 1. */
  readonly xFraction: number;
}

interface Options {
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page to start with. */
  initialPage: number;
  view: ReaderView;
  /** Number of pages before those in the list. */
  pageOffset: number;
  /** Navigates to a page other than by scrolling. */
  onGoToPage?: (page: number) => void;
}

/**
 * Tracks the scroll position in the pages, and keeps it when page sizes become known, when the window is resized, and
 * during zoom.
 * @returns refs for the list and its scroll area, the layout of the pages, and the current page
 */
export function useScrollPosition({ sizes, initialPage, view, pageOffset, onGoToPage }: Options) {
  const [area, setArea] = useState<HTMLElement | null>(null);
  const [list, setList] = useState<HTMLElement | null>(null);
  const fitWidth = useFitWidth(area);
  const width = Math.round(fitWidth * view.zoom);
  const layout = useMemo(() => computePageLayout(sizes, width, window.innerHeight / 4), [sizes, width]);
  const isReady = width > 0 && sizes.length > 0;
  const [page, setPage] = useState(initialPage);
  /** The position at the top of the screen; null until the initial page has been scrolled to. */
  const topPositionRef = useRef<PagePosition | null>(null);
  const currentPageRef = useRef(initialPage);
  const anchorRef = useRef<ScrollAnchor | null>(null);

  const updatePosition = useCallback(() => {
    if (!list || !isReady || topPositionRef.current === null) return;
    const y = -list.getBoundingClientRect().top;
    topPositionRef.current = positionAt(layout, y + toolbarHeight(list));
    const isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
    // At the end of the document the last page is the current one, even if it is shorter than the screen.
    currentPageRef.current =
      isAtEnd && window.scrollY > 0 ? layout.tops.length : positionAt(layout, y + readingLine()).page;
    setPage(currentPageRef.current);
  }, [list, isReady, layout]);

  useEffect(() => {
    addEventListener('scroll', updatePosition, { passive: true });
    return () => removeEventListener('scroll', updatePosition);
  }, [updatePosition]);

  useLayoutEffect(() => {
    if (!area || !list || !isReady || topPositionRef.current === null) return;
    const anchor = anchorRef.current;
    anchorRef.current = null;
    if (anchor) restoreAnchor(area, list, layout, anchor);
    else scrollToPosition(list, layout, topPositionRef.current);
    // Also reset if the zoom changed nothing: the anchor must not apply to the next zoom.
  }, [area, list, isReady, layout, view.zoom]);
  // Runs after the router's scroll restoration, which scrolls to the top.
  useEffect(() => {
    if (!list || !isReady) return;
    if (topPositionRef.current === null) {
      topPositionRef.current = { page: Math.min(initialPage, layout.tops.length), fraction: 0 };
      if (initialPage > 1) scrollToPosition(list, layout, topPositionRef.current);
    }
    updatePosition();
  }, [list, isReady, layout, initialPage, updatePosition]);

  useImperativeHandle(view.pagesRef, () => ({
    keepInPlace: (point) => {
      if (area && list && isReady) anchorRef.current = createAnchor(area, list, layout, point);
    },
    goToPage: (target, fraction = 0) => {
      if (onGoToPage) onGoToPage(target);
      else if (list && isReady) scrollToPage(list, layout, { page: target, fraction });
    },
    getPosition: () => {
      const [top, current] = [topPositionRef.current, currentPageRef.current];
      if (top === null) return null;
      // The current page may begin below the top of the screen.
      return { page: current + pageOffset, fraction: top.page === current ? top.fraction : 0 };
    },
  }));
  return { area, setArea, setList, fitWidth, layout, page: Math.min(page, Math.max(1, sizes.length)) };
}

/** Height of the fixed bar above the pages. */
const toolbarHeight = (list: HTMLElement) => parseFloat(getComputedStyle(list).scrollMarginTop) || 0;

function scrollToPosition(list: HTMLElement, layout: PageLayout, position: PagePosition): void {
  const top = list.getBoundingClientRect().top + window.scrollY;
  const y = Math.round(top + topOfPosition(layout, position) - toolbarHeight(list));
  // At the top of the first page, scrolling would only hide what is above it.
  if (position.page > 1 || position.fraction > 0) window.scrollTo({ top: y, behavior: 'instant' });
}

function scrollToPage(list: HTMLElement, layout: PageLayout, position: PagePosition): void {
  if (position.page > 1 || position.fraction > 0) scrollToPosition(list, layout, position);
  else window.scrollTo({ top: 0, behavior: 'instant' });
}

/** Returns the anchor at a point of the screen, or at its centre. */
function createAnchor(
  area: HTMLElement,
  list: HTMLElement,
  layout: PageLayout,
  point: Point | undefined,
): ScrollAnchor {
  const areaRect = area.getBoundingClientRect();
  const listRect = list.getBoundingClientRect();
  const { x, y } = point ?? { x: areaRect.left + areaRect.width / 2, y: window.innerHeight / 2 };
  return { x, y, position: positionAt(layout, y - listRect.top), xFraction: (x - listRect.left) / listRect.width };
}

function restoreAnchor(
  area: HTMLElement,
  list: HTMLElement,
  layout: PageLayout,
  { x, y, position, xFraction }: ScrollAnchor,
): void {
  const listRect = list.getBoundingClientRect();
  window.scrollBy({ top: listRect.top + topOfPosition(layout, position) - y, behavior: 'instant' });
  area.scrollBy({ left: listRect.left + xFraction * listRect.width - x, behavior: 'instant' });
}

/** Returns the page width that fits the window. */
function useFitWidth(area: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const fitElement = area?.firstElementChild;
    if (!fitElement) return undefined;
    const measure = () => setWidth(fitElement.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(fitElement);
    return () => observer.disconnect();
  }, [area]);
  return width;
}
