import { useQuery } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { useReaderSource } from '../source/use-reader-source';

/** Milliseconds before each retry: the server extracts the text of one document after another. */
const RETRY_DELAYS = [1000, 2000, 4000, 8000, 15_000];
/** Milliseconds that the text of a distant page stays cached. */
const CACHE_TIME = 60_000;

/** Loads the words and links of a page. */
export function usePageText(fileId: number, page: number, isEnabled: boolean) {
  const source = useReaderSource();
  return useQuery({
    ...source.pageTextQuery(fileId, page),
    enabled: isEnabled,
    staleTime: Infinity,
    gcTime: CACHE_TIME,
    retry: (attempt, error) =>
      attempt < RETRY_DELAYS.length && hasCode(error, 'DOCUMENT_NOT_READY', 'DRAWING_BUSY', 'STORAGE_UNAVAILABLE'),
    retryDelay: (attempt) => RETRY_DELAYS[attempt]!,
  });
}
