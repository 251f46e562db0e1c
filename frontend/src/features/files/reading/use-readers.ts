import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { toPage } from '../../../shared/api/list-page';

export type FileReader = Schema<'FileReaderDto'>;

const pageSize = 50;

/** Loads who read a file, latest first, paginated; never served from the cache. */
export function useReaders(fileId: number) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['get', '/api/files/{id}/reading/readers', fileId],
    staleTime: 0,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data: items, response } = await api.GET('/api/files/{id}/reading/readers', {
        params: { path: { id: fileId }, query },
        signal,
      });
      return toPage(items, response.headers);
    },
    getNextPageParam: ({ next }) => next,
  });
  return {
    readers: data?.pages.flatMap(({ items }) => items),
    error,
    refetch,
    loadMore: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}
