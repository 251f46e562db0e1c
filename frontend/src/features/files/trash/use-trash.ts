import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/pages';
import { freshness } from '../../../shared/api/query-client';
import { touch } from '../../../shared/api/touch';
import { inZone } from '../../../shared/api/use-zone';

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
        params: { path: inZone(zoneId), query: { limit: pageSize, cursor } },
        signal,
      });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: freshness.files,
    enabled,
  });
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data]);
  return {
    /** Undefined until the first of them are there. */
    entries,
    total: list.data?.pages[0]?.total ?? 0,
    /** Everything is in `entries`. */
    complete: list.data !== undefined && !list.hasNextPage,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}

const idsOf = (entries: readonly TrashEntry[]) => ({
  fileIds: entries.filter(({ kind }) => kind === 'file').map(({ id }) => id),
  folderIds: entries.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
});

/** Brings entries of the trash back to where they lay. */
export function useBringBack(zoneId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (entries: readonly TrashEntry[]) => {
      const params = { path: inZone(zoneId) };
      const { data } = await api.POST('/api/zones/{id}/trash/restore', { params, body: idsOf(entries) });
      return data ?? [];
    },
    onSettled: () => touch(queries, 'POST /api/zones/{id}/trash/restore'),
  });
}

/** Removes entries of the trash for good, or all of it. */
export function usePurge(zoneId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (what: readonly TrashEntry[] | 'all') => {
      const params = { path: inZone(zoneId) };
      const body = what === 'all' ? { all: true } : idsOf(what);
      const { data } = await api.POST('/api/zones/{id}/trash/purge', { params, body });
      return data!;
    },
    onSettled: () => touch(queries, 'POST /api/zones/{id}/trash/purge'),
  });
}
