import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../../../shared/api/client';
import type { Point, View } from '../controls/use-view';
import { layoutOf, placeAt, topOf, type PageLayout, type Place } from './page-layout';

/** What is read stands a third below the upper edge of the screen. */
const third = () => window.innerHeight / 3;

/** What is looked at while one zooms: a place of the document, and where on the screen it is to stay. */
interface Held extends Point {
  readonly place: Place;
  /** How much of the page is left of it, from 0 to 1. */
  readonly across: number;
}

interface Options {
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page with which one begins. */
  first: number;
  view: View;
  /** Leads to a page in another way than by scrolling. */
  onGo?: (page: number) => void;
}

/**
 * Follows the scroll of the window through pages, and keeps the place when their sizes become known, when the window is made
 * wider, or while one zooms.
 * @returns refs for the list and for what it moves in, where the pages stand, and the page that is read
 */
export function useReadingPlace({ sizes, first, view, onGo }: Options) {
  const [area, setArea] = useState<HTMLElement | null>(null);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const fit = useFit(area);
  const width = Math.round(fit * view.zoom);
  const layout = useMemo(() => layoutOf(sizes, width, window.innerHeight / 4), [sizes, width]);
  const ready = width > 0 && sizes.length > 0;
  const [page, setPage] = useState(first);
  /** What stands at the upper edge; null until one has been brought to the page with which one begins. */
  const edge = useRef<Place | null>(null);
  const held = useRef<Held | null>(null);

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
    if (!area || !box || !ready || edge.current === null) return;
    const kept = held.current;
    held.current = null;
    if (kept) bringBack(area, box, layout, kept);
    else bring(box, layout, edge.current);
    // Also where a zoom was too small to change anything: what it held is not meant for the next one.
  }, [area, box, ready, layout, view.zoom]);
  // After the page's own care for scroll positions, which begins at the top.
  useEffect(() => {
    if (!box || !ready) return;
    if (edge.current === null) {
      edge.current = { page: Math.min(first, layout.tops.length), at: 0 };
      if (first > 1) bring(box, layout, edge.current);
    }
    follow();
  }, [box, ready, layout, first, follow]);

  useImperativeHandle(view.pages, () => ({
    hold: (point) => {
      if (area && box && ready) held.current = heldAt(area, box, layout, point);
    },
    go: (to) => {
      if (onGo) onGo(to);
      else if (box && ready) goTo(box, layout, to);
    },
  }));
  return { area, setArea, setBox, fit, layout, page: Math.min(page, Math.max(1, sizes.length)) };
}

/** The bar that stays above the pages. */
const barHeight = (box: HTMLElement) => parseFloat(getComputedStyle(box).scrollMarginTop) || 0;

function bring(box: HTMLElement, layout: PageLayout, place: Place): void {
  const top = box.getBoundingClientRect().top + window.scrollY;
  const y = Math.round(top + topOf(layout, place) - barHeight(box));
  // Nobody is pulled down from the head of the first page.
  if (place.page > 1 || place.at > 0) window.scrollTo({ top: y, behavior: 'instant' });
}

function goTo(box: HTMLElement, layout: PageLayout, page: number): void {
  if (page > 1) bring(box, layout, { page, at: 0 });
  else window.scrollTo({ top: 0, behavior: 'instant' });
}

/** What is at a point of the screen, or in its middle. */
function heldAt(area: HTMLElement, box: HTMLElement, layout: PageLayout, point: Point | undefined): Held {
  const around = area.getBoundingClientRect();
  const list = box.getBoundingClientRect();
  const { x, y } = point ?? { x: around.left + around.width / 2, y: window.innerHeight / 2 };
  return { x, y, place: placeAt(layout, y - list.top), across: (x - list.left) / list.width };
}

function bringBack(area: HTMLElement, box: HTMLElement, layout: PageLayout, { x, y, place, across }: Held): void {
  const list = box.getBoundingClientRect();
  window.scrollBy({ top: list.top + topOf(layout, place) - y, behavior: 'instant' });
  area.scrollBy({ left: list.left + across * list.width - x, behavior: 'instant' });
}

/** How wide pages are that fit the window. */
function useFit(area: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = area?.firstElementChild;
    if (!measured) return undefined;
    const measure = () => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [area]);
  return width;
}
