import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../../shared/api/client';
import { layoutOf, placeAt, topOf, type PageLayout, type Place } from './page-layout';

/** What is read stands a third below the upper edge of the screen. */
const third = () => window.innerHeight / 3;

/**
 * Follows the scroll of the window through pages, and keeps the place when their sizes become known or the window is made
 * wider.
 * @param first the page with which one begins
 * @returns a ref for the list, where the pages stand, and the page that is read
 */
export function useReadingPlace(sizes: readonly Schema<'PageSizeDto'>[], first: number) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const width = useWidth(box);
  const layout = useMemo(() => layoutOf(sizes, width, window.innerHeight / 4), [sizes, width]);
  const ready = width > 0 && sizes.length > 0;
  const [page, setPage] = useState(first);
  /** What stands at the upper edge; null until one has been brought to the page with which one begins. */
  const edge = useRef<Place | null>(null);

  const follow = useCallback(() => {
    if (!box || !ready || edge.current === null) return;
    const y = -box.getBoundingClientRect().top;
    edge.current = placeAt(layout, y + barHeight(box));
    const end = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
    // At the end the last page is read, also where it is lower than the screen.
    setPage(end && window.scrollY > 0 ? layout.tops.length : placeAt(layout, y + third()).page);
  }, [box, ready, layout]);

  useEffect(() => {
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, [follow]);

  useLayoutEffect(() => {
    if (box && ready && edge.current !== null) bring(box, layout, edge.current);
  }, [box, ready, layout]);
  // After the page's own care for scroll positions, which begins at the top.
  useEffect(() => {
    if (!box || !ready || edge.current !== null) return;
    edge.current = { page: Math.min(first, layout.tops.length), at: 0 };
    if (first > 1) bring(box, layout, edge.current);
    follow();
  }, [box, ready, layout, first, follow]);

  return { setBox, layout, page: Math.min(page, Math.max(1, sizes.length)) };
}

/** The bar that stays above the pages. */
const barHeight = (box: HTMLElement) => parseFloat(getComputedStyle(box).scrollMarginTop) || 0;

function bring(box: HTMLElement, layout: PageLayout, place: Place): void {
  const top = box.getBoundingClientRect().top + window.scrollY;
  const y = Math.round(top + topOf(layout, place) - barHeight(box));
  // Nobody is pulled down from the head of the first page.
  if (place.page > 1 || place.at > 0) window.scrollTo({ top: y, behavior: 'instant' });
}

function useWidth(box: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!box) return undefined;
    const measure = () => setWidth(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
