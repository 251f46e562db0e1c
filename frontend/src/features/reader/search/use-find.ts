import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import type { View } from '../controls/use-view';
import { firstFrom, type Found, type Hit } from './found';
import { useHits, type Searched } from './use-hits';

/** Letters that follow faster than this, in milliseconds, are one question. */
const typing = 300;
/** As many letters are searched at most. */
export const mostLetters = 200;

/** Searching in the document that is read. */
export interface Find {
  readonly isOpen: boolean;
  /** How often somebody has called for it: each time it gets the focus. */
  readonly calls: number;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly typed: string;
  readonly state: Searched;
  readonly error: unknown;
  readonly found: Found | null;
  open: () => void;
  close: () => void;
  type: (words: string) => void;
  /** To the next place or the one before; what is still being typed is searched first. */
  step: (by: 1 | -1) => void;
}

export function useFind(fileId: number, page: number, view: View): Find {
  const [start] = useState(useSearchParams()[0].get('find')?.slice(0, mostLetters) ?? '');
  const [typed, type] = useState(start);
  /** Words that somebody did not wait for. */
  const [hurried, hurry] = useState(start);
  const settled = useDebounced(typed, typing);
  const words = (hurried === typed ? typed : settled).trim();
  const { isOpen, calls, open, close } = useOpen(start !== '', view);
  const { hits, state, error, again } = useHits(fileId, words, isOpen);
  useFindAddress(hits ? words : undefined, isOpen);
  const { found, go } = useFound(hits, page, view);
  const field = useRef<HTMLInputElement>(null);
  const step = (by: 1 | -1) => {
    if (typed.trim() !== words) return hurry(typed);
    if (state === 'failed') again();
    if (found) go(found.at + by);
  };
  return { isOpen, calls, field, typed, state, error, found: isOpen ? found : null, open, close, type, step };
}

/** Open or not, and where the focus goes afterwards. */
function useOpen(atFirst: boolean, { find }: View) {
  const [isOpen, setOpen] = useState(atFirst);
  const [calls, setCalls] = useState(0);
  const from = useRef<Element | null>(null);
  const open = () => {
    if (!isOpen) from.current = document.activeElement;
    setOpen(true);
    setCalls((before) => before + 1);
  };
  const close = () => {
    setOpen(false);
    // A button of the menu is not there any more; what opens the menu is.
    const last = from.current?.closest('details')?.querySelector('summary') ?? from.current;
    if (last instanceof HTMLElement) last.focus();
  };
  useImperativeHandle(find, () => ({ open }));
  return { isOpen, calls, open, close };
}

/** Which place is looked at: at first the one on the page that is read, or the next after it. */
function useFound(hits: readonly Hit[] | undefined, page: number, view: View) {
  const [chosen, setChosen] = useState<{ hits: readonly Hit[]; at: number } | null>(null);
  /** What has been brought into view. */
  const shown = useRef<object | null>(null);
  const show = useCallback(
    (mark: Element) => {
      if (shown.current === chosen) return;
      shown.current = chosen;
      mark.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    },
    [chosen],
  );
  if (hits && chosen?.hits !== hits) setChosen({ hits, at: firstFrom(hits, page) });
  const pageNow = useRef(page);
  useEffect(() => void (pageNow.current = page), [page]);
  const { pages } = view;
  useEffect(() => {
    const hit = chosen?.hits[chosen.at];
    if (hit && hit.page !== pageNow.current) pages.current?.go(hit.page);
  }, [chosen, pages]);
  const found = useMemo(() => (chosen && chosen.hits === hits ? { ...chosen, show } : null), [chosen, hits, show]);
  const go = (to: number) => {
    const count = hits?.length ?? 0;
    // After the last one comes the first again.
    if (hits && count > 0) setChosen({ hits, at: (to + count) % count });
  };
  return { found, go };
}

/** The address says what is searched, so that it can be sent on; without a step of its own in the history. */
function useFindAddress(words: string | undefined, isOpen: boolean): void {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const said = query.get('find');
  const isTold = isOpen ? words === undefined || said === words : said === null;
  useEffect(() => {
    if (isTold) return;
    setQuery(
      (before) => {
        if (isOpen && words) before.set('find', words);
        else before.delete('find');
        return before;
      },
      { replace: true, preventScrollReset: true, state },
    );
  }, [isTold, isOpen, words, setQuery, state]);
}
