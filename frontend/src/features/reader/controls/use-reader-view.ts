import { useRef, useState, type RefObject } from 'react';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import type { PagePosition, Rotation } from '../pages/page-layout';
import type { FullScreen } from './use-full-screen';
import { clampZoom, nextZoomStep } from './zoom';

export const layoutModes = ['continuous', 'single'] as const;
export const backgrounds = ['black', 'paper', 'sepia'] as const;
export const PHONE_QUERY = '(max-width: 799px)';

/** A point in the viewport, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Functions that the pages provide to the controls. */
export interface PagesHandle {
  /** Keeps the content at this point, or at the centre of the screen, in place at the next size change. */
  keepInPlace: (point?: Point) => void;
  /** @param fraction the part of the page to scroll past, from 0 to 1; ignored in single-page mode */
  goToPage: (page: number, fraction?: number) => void;
  /** Returns the current page and the fraction of it above the screen; null until the first page is scrolled to. */
  getPosition: () => PagePosition | null;
}

/** Functions that the search provides to the controls. */
export interface SearchHandle {
  open: () => void;
}

/** How a document is displayed, with functions to change that. */
export interface ReaderView {
  readonly zoom: number;
  readonly rotation: Rotation;
  readonly layoutMode: (typeof layoutModes)[number];
  readonly background: (typeof backgrounds)[number];
  readonly isSidebarOpen: boolean;
  readonly fullScreen: FullScreen;
  readonly pagesRef: RefObject<PagesHandle | null>;
  /** Null if nothing can be searched. */
  readonly searchRef: RefObject<SearchHandle | null>;
  /** The page that gets focus once it is rendered. */
  readonly focusPageRef: RefObject<number | null>;
  readonly pageFieldRef: RefObject<HTMLInputElement | null>;
  readonly helpDialogRef: RefObject<HTMLDialogElement | null>;
  zoomTo: (zoom: number, anchor?: Point) => void;
  zoomBy: (steps: 1 | -1) => void;
  rotate: () => void;
  setLayoutMode: (mode: (typeof layoutModes)[number]) => void;
  setBackground: (background: (typeof backgrounds)[number]) => void;
  setSidebarOpen: (isOpen: boolean) => void;
}

/** Zoom and rotation apply to the open document only; background and layout are stored as the user's preferences. */
export function useReaderView(fullScreen: FullScreen): ReaderView {
  const [zoom, setZoom] = useState(1);
  const [rotation, setRotation] = useState<Rotation>(0);
  const [layoutMode, setLayoutMode] = useStoredChoice('reader.flow', layoutModes, 'continuous');
  const isDark = document.documentElement.dataset.theme === 'dark';
  const [background, setBackground] = useStoredChoice('reader.around', backgrounds, isDark ? 'black' : 'paper');
  const [isSidebarOpen, setSidebarOpen] = useSidebarState();
  const pagesRef = useRef<PagesHandle>(null);
  const searchRef = useRef<SearchHandle>(null);
  const focusPageRef = useRef<number>(null);
  const pageFieldRef = useRef<HTMLInputElement>(null);
  const helpDialogRef = useRef<HTMLDialogElement>(null);
  const zoomTo = (target: number, anchor?: Point) => {
    const next = clampZoom(target);
    if (next === zoom) return;
    pagesRef.current?.keepInPlace(anchor);
    setZoom(next);
  };
  return {
    zoom,
    rotation,
    layoutMode,
    background,
    isSidebarOpen,
    fullScreen,
    pagesRef,
    searchRef,
    focusPageRef,
    pageFieldRef,
    helpDialogRef,
    zoomTo,
    setLayoutMode,
    setBackground,
    setSidebarOpen,
    zoomBy: (steps) => zoomTo(nextZoomStep(zoom, steps)),
    rotate: () => setRotation(((rotation + 1) % 4) as Rotation),
  };
}

/** On a phone the sidebar covers the pages: it is closed initially, and opening it isn't stored. */
function useSidebarState(): [boolean, (isOpen: boolean) => void] {
  const [storedState, setStoredState] = useStoredChoice('reader.strip', ['open', 'closed'] as const, 'closed');
  const [isOpen, setOpen] = useState(() => storedState === 'open' && !matchMedia(PHONE_QUERY).matches);
  const changeOpen = (next: boolean) => {
    setOpen(next);
    if (!matchMedia(PHONE_QUERY).matches) setStoredState(next ? 'open' : 'closed');
  };
  return [isOpen, changeOpen];
}
