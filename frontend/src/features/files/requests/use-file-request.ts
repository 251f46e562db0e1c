import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { toPage } from '../../../shared/api/list-page';

export type FileRequest = Schema<'FileRequestDto'>;
export type Submission = Schema<'SubmissionDto'>;

/** A folder with what the dialogs about its file request need. */
export type RequestFolder = Pick<Schema<'FolderDto'>, 'id' | 'name' | 'fileRequest'>;

const pageSize = 100;

/** Requests files in a folder, or changes the request. */
export function useSaveFileRequest(folderId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'SaveFileRequestDto'>) =>
      api.PUT('/api/folders/{id}/file-request', { params: { path: { id: folderId } }, body }),
    onSuccess: () => invalidate(queryClient, 'PUT /api/folders/{id}/file-request'),
  });
}

/** Ends the file request of a folder; its files stay. */
export function useStopFileRequest(folderId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/folders/{id}/file-request', { params: { path: { id: folderId } } }),
    onSuccess: () => invalidate(queryClient, 'DELETE /api/folders/{id}/file-request'),
  });
}

/** Loads who sent what to a folder, by person; never served from the cache. */
export function useSubmissions(folderId: number) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['get', '/api/folders/{id}/file-request/submissions', folderId],
    staleTime: 0,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data: items, response } = await api.GET('/api/folders/{id}/file-request/submissions', {
        params: { path: { id: folderId }, query },
        signal,
      });
      return toPage(items, response.headers);
    },
    getNextPageParam: ({ next }) => next,
  });
  return {
    submissions: data?.pages.flatMap(({ items }) => items),
    error,
    refetch,
    loadMore: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}
