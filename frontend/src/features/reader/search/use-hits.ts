import { hasCode } from '../../../shared/api/api-error';
import { $api } from '../../../shared/api/client';
import { isLongEnough } from '../../../shared/files/text-search';

/** Before each time that is asked again, in milliseconds, until the texts are read; the last one for all that follow. */
const pauses = [1000, 2000, 4000, 8000, 15_000];

/** What is known of a search: `short` of too few letters, `waiting` while the texts of the document are still being read. */
export type Searched = 'nothing' | 'short' | 'searching' | 'waiting' | 'failed' | 'found';

/** Where a document holds some words. */
export function useHits(fileId: number, words: string, isOpen: boolean) {
  const isAsked = isOpen && isLongEnough(words);
  const { data, error, failureReason, refetch } = $api.useQuery(
    'get',
    '/api/files/{id}/pages/search',
    { params: { path: { id: fileId }, query: { q: words } } },
    {
      enabled: isAsked,
      staleTime: Infinity,
      gcTime: 0,
      retry: (_, failure) => hasCode(failure, 'DOCUMENT_NOT_READY'),
      retryDelay: (tries) => pauses[Math.min(tries, pauses.length - 1)]!,
    },
  );
  const state = (): Searched => {
    if (!isAsked) return words === '' ? 'nothing' : 'short';
    if (data) return 'found';
    if (error) return 'failed';
    return hasCode(failureReason, 'DOCUMENT_NOT_READY') ? 'waiting' : 'searching';
  };
  return { hits: isAsked ? data : undefined, state: state(), error, again: () => void refetch() };
}
