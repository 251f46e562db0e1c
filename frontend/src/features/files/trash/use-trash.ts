import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { staleTimes } from '../../../shared/api/query-client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type TrashEntry = Schema<'TrashEntryDto'>;

export const trashKey = ({ kind, id }: TrashEntry) => `${kind}-${id}`;

/** More than what is shown without virtual rows, so that whatever has a second page is virtual. */
const pageSize = 500;

/** The trash of a zone, the last deleted first, page by page. */
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
    /** Undefined until the first of them are there. */
    entries,
    total: list.data?.pages[0]?.total ?? 0,
    /** Everything is in `entries`. */
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

/** Brings entries of the trash back to where they lay. */
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

/** Removes entries of the trash for good, or all of it. */
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
