import { useRef, useState, type RefObject } from 'react';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import type { Turn } from '../pages/page-layout';
import type { FullScreen } from './use-full-screen';
import { limitZoom, stepFrom } from './zoom';

export const flows = ['continuous', 'single'] as const;
export const surroundings = ['black', 'paper', 'sepia'] as const;
export const phone = '(max-width: 799px)';

/** A point of the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the controls ask of the pages. */
export interface Pages {
  /** What is at a point, or in the middle of the screen, stays there when the sizes change next. */
  hold: (point?: Point) => void;
  go: (page: number) => void;
}

/** What the controls ask of the search. */
export interface Finder {
  open: () => void;
}

/** How a document is looked at, and what changes that. */
export interface View {
  readonly zoom: number;
  readonly turn: Turn;
  readonly flow: (typeof flows)[number];
  readonly around: (typeof surroundings)[number];
  readonly hasStrip: boolean;
  readonly full: FullScreen;
  readonly pages: RefObject<Pages | null>;
  /** Null where nothing can be searched. */
  readonly find: RefObject<Finder | null>;
  /** The page that gets the focus once it is there. */
  readonly landing: RefObject<number | null>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly help: RefObject<HTMLDialogElement | null>;
  zoomTo: (zoom: number, at?: Point) => void;
  zoomBy: (steps: 1 | -1) => void;
  rotate: () => void;
  setFlow: (flow: (typeof flows)[number]) => void;
  setAround: (around: (typeof surroundings)[number]) => void;
  setStrip: (isOpen: boolean) => void;
}

/** Zoom and rotation belong to one reading; what is around the pages and how they follow are the taste of a person. */
export function useView(full: FullScreen): View {
  const [zoom, setZoom] = useState(1);
  const [turn, setTurn] = useState<Turn>(0);
  const [flow, setFlow] = useStoredChoice('reader.flow', flows, 'continuous');
  const isDark = document.documentElement.dataset.theme === 'dark';
  const [around, setAround] = useStoredChoice('reader.around', surroundings, isDark ? 'black' : 'paper');
  const [hasStrip, setStrip] = useStrip();
  const pages = useRef<Pages>(null);
  const find = useRef<Finder>(null);
  const landing = useRef<number>(null);
  const field = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const zoomTo = (to: number, at?: Point) => {
    const next = limitZoom(to);
    if (next === zoom) return;
    pages.current?.hold(at);
    setZoom(next);
  };
  return {
    ...{
      zoom,
      turn,
      flow,
      around,
      hasStrip,
      full,
      pages,
      find,
      landing,
      field,
      help,
      zoomTo,
      setFlow,
      setAround,
      setStrip,
    },
    zoomBy: (steps) => zoomTo(stepFrom(zoom, steps)),
    rotate: () => setTurn(((turn + 1) % 4) as Turn),
  };
}

/** On a phone the strip covers what is read: there it is closed until one asks, and that is not remembered. */
function useStrip(): [boolean, (isOpen: boolean) => void] {
  const [kept, keep] = useStoredChoice('reader.strip', ['open', 'closed'] as const, 'closed');
  const [isOpen, setOpen] = useState(() => kept === 'open' && !matchMedia(phone).matches);
  const change = (next: boolean) => {
    setOpen(next);
    if (!matchMedia(phone).matches) keep(next ? 'open' : 'closed');
  };
  return [isOpen, change];
}
