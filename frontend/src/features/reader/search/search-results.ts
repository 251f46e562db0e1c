import { createContext } from 'react';
import type { Schema } from '../../../shared/api/client';

export type SearchHit = Schema<'TextHitDto'>;

/** What was found in the document that is read, and which of it is looked at. */
export interface SearchResults {
  readonly hits: readonly SearchHit[];
  /** From 0. */
  readonly currentIndex: number;
  /** Brings the mark of what is looked at into view, once: scrolled away from, it is not brought back. */
  readonly show: (mark: Element) => void;
}

/** Null while nothing is searched. */
export const SearchResultsContext = createContext<SearchResults | null>(null);

/** The first one on a page or after it; the very first where there is none. */
export function firstHitIndexFrom(hits: readonly SearchHit[], page: number): number {
  return Math.max(
    0,
    hits.findIndex((hit) => hit.page >= page),
  );
}
