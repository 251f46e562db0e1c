import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { staleTimes } from '../../../shared/api/query-client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type TrashEntry = Schema<'TrashEntryDto'>;

export const trashKey = ({ kind, id }: TrashEntry) => `${kind}-${id}`;

/**
 * Larger than the number of rows rendered without virtualisation, so that every list with a second page is virtualised.
 */
const pageSize = 500;

/** Loads a zone's trash, latest deletions first, paginated. */
export function useTrash(zoneId: number, enabled: boolean) {
  const list = useInfiniteQuery({
    queryKey: ['get', '/api/zones/{id}/trash', { zoneId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<TrashEntry>> => {
      const { data, response } = await api.GET('/api/zones/{id}/trash', {
        params: { path: zonePathParams(zoneId), query: { limit: pageSize, cursor } },
        signal,
      });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: staleTimes.files,
    enabled,
  });
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data]);
  return {
    /** Undefined until the first page is loaded. */
    entries,
    total: list.data?.pages[0]?.total ?? 0,
    /** `entries` holds everything. */
    isComplete: list.data !== undefined && !list.hasNextPage,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}

const toItems = (entries: readonly TrashEntry[]) => ({
  fileIds: entries.filter(({ kind }) => kind === 'file').map(({ id }) => id),
  folderIds: entries.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
});

/** Restores entries from the trash to their original folders. */
export function useRestoreTrashEntries(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (entries: readonly TrashEntry[]) => {
      const params = { path: zonePathParams(zoneId) };
      const { data } = await api.POST('/api/zones/{id}/trash/restore', { params, body: toItems(entries) });
      return data ?? [];
    },
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/trash/restore'),
  });
}

/** Permanently deletes entries of the trash, or all of it. */
export function usePurgeTrash(zoneId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (target: readonly TrashEntry[] | 'all') => {
      const params = { path: zonePathParams(zoneId) };
      const body = target === 'all' ? { all: true } : toItems(target);
      const { data } = await api.POST('/api/zones/{id}/trash/purge', { params, body });
      return data!;
    },
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/trash/purge'),
  });
}
