import { createContext } from 'react';
import type { Schema } from '../../../shared/api/client';

export type SearchHit = Schema<'TextHitDto'>;

/** The hits in the open document, and the current one. */
export interface SearchResults {
  readonly hits: readonly SearchHit[];
  /** From 0. */
  readonly currentIndex: number;
  /** Scrolls the highlight of the current hit into view, once: it isn't scrolled back after the reader scrolls away. */
  readonly show: (mark: Element) => void;
}

/** Null while there is no search. */
export const SearchResultsContext = createContext<SearchResults | null>(null);

/** Returns the index of the first hit on or after a page; the first of all if there is none. */
export function firstHitIndexFrom(hits: readonly SearchHit[], page: number): number {
  return Math.max(
    0,
    hits.findIndex((hit) => hit.page >= page),
  );
}
