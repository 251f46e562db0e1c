import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { toPage } from '../../../shared/api/list-page';

export type Opening = Schema<'FileOpeningDto'>;

const pageSize = 50;

/** Loads who opened a file, latest first, paginated; never served from the cache. */
export function useOpenings(fileId: number) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['get', '/api/files/{id}/openings', fileId],
    staleTime: 0,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data: items, response } = await api.GET('/api/files/{id}/openings', {
        params: { path: { id: fileId }, query },
        signal,
      });
      return toPage(items, response.headers);
    },
    getNextPageParam: ({ next }) => next,
  });
  return {
    openings: data?.pages.flatMap(({ items }) => items),
    total: data?.pages[0]?.total ?? 0,
    error,
    refetch,
    loadMore: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}
