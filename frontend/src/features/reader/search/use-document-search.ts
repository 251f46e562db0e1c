import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import type { ReaderView } from '../controls/use-reader-view';
import { firstHitIndexFrom, type SearchResults, type SearchHit } from './search-results';
import { useSearchHits, type SearchState } from './use-search-hits';

/** Milliseconds to wait for further typing before searching. */
const SEARCH_DEBOUNCE = 300;
/** Maximum length of a query. */
export const MAX_QUERY_LENGTH = 200;

/** State and actions of the search in the open document. */
export interface DocumentSearch {
  readonly isOpen: boolean;
  /** Incremented on each request to open the search, which focuses the field again. */
  readonly focusRequests: number;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly query: string;
  readonly state: SearchState;
  readonly error: unknown;
  readonly results: SearchResults | null;
  open: () => void;
  close: () => void;
  setQuery: (query: string) => void;
  /** Goes to the next or previous hit; pending input is searched first. */
  moveBy: (direction: 1 | -1) => void;
}

export function useDocumentSearch(fileId: number, page: number, view: ReaderView): DocumentSearch {
  const [initialQuery] = useState(useSearchParams()[0].get('find')?.slice(0, MAX_QUERY_LENGTH) ?? '');
  const [query, setQuery] = useState(initialQuery);
  /** A query submitted before the debounce delay ended. */
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

/** Whether the panel is open, and where focus returns afterwards. */
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
    // A button of the closed menu no longer exists; focus goes to the menu's own button.
    const focusTarget =
      previousFocusRef.current?.closest('details')?.querySelector('summary') ?? previousFocusRef.current;
    if (focusTarget instanceof HTMLElement) focusTarget.focus();
  };
  useImperativeHandle(searchRef, () => ({ open }));
  return { isOpen, focusRequests, open, close };
}

/** Tracks the current hit: initially the first one on or after the current page. */
function useSearchResults(hits: readonly SearchHit[] | undefined, page: number, view: ReaderView) {
  const [selection, setSelection] = useState<{ hits: readonly SearchHit[]; currentIndex: number } | null>(null);
  /** The hit that has been scrolled into view. */
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
    // Wraps around at both ends.
    if (hits && count > 0) setSelection({ hits, currentIndex: (index + count) % count });
  };
  return { results, goToHit };
}

/** Keeps the query in the URL, so that it can be shared, without adding history entries. */
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
