import { hasCode } from '../../../shared/api/api-error';
import { $api } from '../../../shared/api/client';

/** Before each try again, in milliseconds: texts are read one document after another. */
const RETRY_DELAYS = [1000, 2000, 4000, 8000, 15_000];
/** For so long the text of a page that is far away is kept, in milliseconds. */
const CACHE_TIME = 60_000;

/** The words and links of a page. */
export function usePageText(fileId: number, page: number, isEnabled: boolean) {
  return $api.useQuery(
    'get',
    '/api/files/{id}/pages/{page}/text',
    { params: { path: { id: fileId, page } } },
    {
      enabled: isEnabled,
      staleTime: Infinity,
      gcTime: CACHE_TIME,
      retry: (attempt, error) =>
        attempt < RETRY_DELAYS.length && hasCode(error, 'DOCUMENT_NOT_READY', 'DRAWING_BUSY', 'STORAGE_UNAVAILABLE'),
      retryDelay: (attempt) => RETRY_DELAYS[attempt]!,
    },
  );
}
