import { useQuery } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { isSearchable } from '../../../shared/files/text-search';
import { useReaderSource } from '../source/use-reader-source';

/** Milliseconds before each poll until the text has been extracted; the last delay repeats. */
const RETRY_DELAYS = [1000, 2000, 4000, 8000, 15_000];

/** State of a search. `short`: the query is too short. `waiting`: the document's text is still being extracted. */
export type SearchState = 'nothing' | 'short' | 'searching' | 'waiting' | 'failed' | 'found';

/** Searches the text of a document. */
export function useSearchHits(fileId: number, searchText: string, isOpen: boolean) {
  const isEnabled = isOpen && isSearchable(searchText);
  const source = useReaderSource();
  const { data, error, failureReason, refetch } = useQuery({
    ...source.searchQuery(fileId, searchText),
    enabled: isEnabled,
    staleTime: Infinity,
    gcTime: 0,
    retry: (_, failure) => hasCode(failure, 'DOCUMENT_NOT_READY'),
    retryDelay: (attempt) => RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)]!,
  });
  const getState = (): SearchState => {
    if (!isEnabled) return searchText === '' ? 'nothing' : 'short';
    if (data) return 'found';
    if (error) return 'failed';
    return hasCode(failureReason, 'DOCUMENT_NOT_READY') ? 'waiting' : 'searching';
  };
  return { hits: isEnabled ? data : undefined, state: getState(), error, retry: () => void refetch() };
}
