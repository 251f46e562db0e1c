import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { toPage } from '../../../shared/api/list-page';

export type FileVersion = Schema<'FileVersionDto'>;

const pageSize = 50;

/** Loads the contents of a file, the current one first, paginated; never served from the cache. */
export function useVersions(fileId: number) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['get', '/api/files/{id}/versions', fileId],
    staleTime: 0,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data: items, response } = await api.GET('/api/files/{id}/versions', {
        params: { path: { id: fileId }, query },
        signal,
      });
      return toPage(items, response.headers);
    },
    getNextPageParam: ({ next }) => next,
  });
  return {
    versions: data?.pages.flatMap(({ items }) => items),
    error,
    refetch,
    loadMore: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}

/** Makes an earlier version the current content of a file. */
export function useRestoreVersion(fileId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: number) =>
      api.POST('/api/files/{id}/versions/{number}/restore', { params: { path: { id: fileId, number } } }),
    onSuccess: () => invalidate(queryClient, 'POST /api/files/{id}/versions/{number}/restore'),
  });
}

/** Permanently deletes an earlier version. */
export function useDeleteVersion(fileId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: number) =>
      api.DELETE('/api/files/{id}/versions/{number}', { params: { path: { id: fileId, number } } }),
    onSuccess: () => invalidate(queryClient, 'DELETE /api/files/{id}/versions/{number}'),
  });
}
