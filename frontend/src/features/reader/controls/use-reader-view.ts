import { useRef, useState, type RefObject } from 'react';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import type { Rotation } from '../pages/page-layout';
import type { FullScreen } from './use-full-screen';
import { clampZoom, nextZoomStep } from './zoom';

export const layoutModes = ['continuous', 'single'] as const;
export const backgrounds = ['black', 'paper', 'sepia'] as const;
export const PHONE_QUERY = '(max-width: 799px)';

/** A point of the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the controls ask of the pages. */
export interface PagesHandle {
  /** What is at a point, or in the middle of the screen, stays there when the sizes change next. */
  keepInPlace: (point?: Point) => void;
  goToPage: (page: number) => void;
}

/** What the controls ask of the search. */
export interface SearchHandle {
  open: () => void;
}

/** How a document is looked at, and what changes that. */
export interface ReaderView {
  readonly zoom: number;
  readonly rotation: Rotation;
  readonly layoutMode: (typeof layoutModes)[number];
  readonly background: (typeof backgrounds)[number];
  readonly isSidebarOpen: boolean;
  readonly fullScreen: FullScreen;
  readonly pagesRef: RefObject<PagesHandle | null>;
  /** Null where nothing can be searched. */
  readonly searchRef: RefObject<SearchHandle | null>;
  /** The page that gets the focus once it is there. */
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

/** Zoom and rotation belong to one reading; what is around the pages and how they follow are the taste of a person. */
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
    ...{
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
    },
    zoomBy: (steps) => zoomTo(nextZoomStep(zoom, steps)),
    rotate: () => setRotation(((rotation + 1) % 4) as Rotation),
  };
}

/** On a phone the strip covers what is read: there it is closed until one asks, and that is not remembered. */
function useSidebarState(): [boolean, (isOpen: boolean) => void] {
  const [storedState, setStoredState] = useStoredChoice('reader.strip', ['open', 'closed'] as const, 'closed');
  const [isOpen, setOpen] = useState(() => storedState === 'open' && !matchMedia(PHONE_QUERY).matches);
  const changeOpen = (next: boolean) => {
    setOpen(next);
    if (!matchMedia(PHONE_QUERY).matches) setStoredState(next ? 'open' : 'closed');
  };
  return [isOpen, changeOpen];
}
