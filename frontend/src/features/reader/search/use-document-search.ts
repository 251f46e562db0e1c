import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import type { ReaderView } from '../controls/use-reader-view';
import { firstHitIndexFrom, type SearchResults, type SearchHit } from './search-results';
import { useSearchHits, type SearchState } from './use-search-hits';

/** Letters that follow faster than this, in milliseconds, are one question. */
const SEARCH_DEBOUNCE = 300;
/** As many letters are searched at most. */
export const MAX_QUERY_LENGTH = 200;

/** Searching in the document that is read. */
export interface DocumentSearch {
  readonly isOpen: boolean;
  /** How often somebody has called for it: each time it gets the focus. */
  readonly focusRequests: number;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly query: string;
  readonly state: SearchState;
  readonly error: unknown;
  readonly results: SearchResults | null;
  open: () => void;
  close: () => void;
  setQuery: (query: string) => void;
  /** To the next place or the one before; what is still being typed is searched first. */
  moveBy: (direction: 1 | -1) => void;
}

export function useDocumentSearch(fileId: number, page: number, view: ReaderView): DocumentSearch {
  const [initialQuery] = useState(useSearchParams()[0].get('find')?.slice(0, MAX_QUERY_LENGTH) ?? '');
  const [query, setQuery] = useState(initialQuery);
  /** Words that somebody did not wait for. */
  const [submittedQuery, setSubmittedQuery] = useState(initialQuery);
  const debouncedQuery = useDebounced(query, SEARCH_DEBOUNCE);
  const activeQuery = (submittedQuery === query ? query : debouncedQuery).trim();
  const { isOpen, focusRequests, open, close } = useSearchPanel(initialQuery !== '', view);
  const { hits, state, error, retry } = useSearchHits(fileId, activeQuery, isOpen);
  useSyncSearchParam(hits ? activeQuery : undefined, isOpen);
  const { results, goToHit } = useSearchResults(hits, page, view);
  const inputRef = useRef<HTMLInputElement>(null);
  const moveBy = (direction: 1 | -1) => {
    if (query.trim() !== activeQuery) return setSubmittedQuery(query);
    if (state === 'failed') retry();
    if (results) goToHit(results.currentIndex + direction);
  };
  return {
    isOpen,
    focusRequests,
    inputRef,
    query,
    state,
    error,
    results: isOpen ? results : null,
    open,
    close,
    setQuery,
    moveBy,
  };
}

/** Open or not, and where the focus goes afterwards. */
function useSearchPanel(isInitiallyOpen: boolean, { searchRef }: ReaderView) {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const [focusRequests, setFocusRequests] = useState(0);
  const previousFocusRef = useRef<Element | null>(null);
  const open = () => {
    if (!isOpen) previousFocusRef.current = document.activeElement;
    setOpen(true);
    setFocusRequests((count) => count + 1);
  };
  const close = () => {
    setOpen(false);
    // A button of the menu is not there any more; what opens the menu is.
    const focusTarget =
      previousFocusRef.current?.closest('details')?.querySelector('summary') ?? previousFocusRef.current;
    if (focusTarget instanceof HTMLElement) focusTarget.focus();
  };
  useImperativeHandle(searchRef, () => ({ open }));
  return { isOpen, focusRequests, open, close };
}

/** Which place is looked at: at first the one on the page that is read, or the next after it. */
function useSearchResults(hits: readonly SearchHit[] | undefined, page: number, view: ReaderView) {
  const [selection, setSelection] = useState<{ hits: readonly SearchHit[]; currentIndex: number } | null>(null);
  /** What has been brought into view. */
  const shownRef = useRef<object | null>(null);
  const show = useCallback(
    (mark: Element) => {
      if (shownRef.current === selection) return;
      shownRef.current = selection;
      mark.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    },
    [selection],
  );
  if (hits && selection?.hits !== hits) setSelection({ hits, currentIndex: firstHitIndexFrom(hits, page) });
  const pageRef = useRef(page);
  useEffect(() => void (pageRef.current = page), [page]);
  const { pagesRef } = view;
  useEffect(() => {
    const hit = selection?.hits[selection.currentIndex];
    if (hit && hit.page !== pageRef.current) pagesRef.current?.goToPage(hit.page);
  }, [selection, pagesRef]);
  const results = useMemo(
    () => (selection && selection.hits === hits ? { ...selection, show } : null),
    [selection, hits, show],
  );
  const goToHit = (index: number) => {
    const count = hits?.length ?? 0;
    // After the last one comes the first again.
    if (hits && count > 0) setSelection({ hits, currentIndex: (index + count) % count });
  };
  return { results, goToHit };
}

/** The address says what is searched, so that it can be sent on; without a step of its own in the history. */
function useSyncSearchParam(query: string | undefined, isOpen: boolean): void {
  const [searchParams, setSearchParams] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const paramValue = searchParams.get('find');
  const isUrlCurrent = isOpen ? query === undefined || paramValue === query : paramValue === null;
  useEffect(() => {
    if (isUrlCurrent) return;
    setSearchParams(
      (params) => {
        if (isOpen && query) params.set('find', query);
        else params.delete('find');
        return params;
      },
      { replace: true, preventScrollReset: true, state },
    );
  }, [isUrlCurrent, isOpen, query, setSearchParams, state]);
}
