import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/pages';
import { freshness } from '../../../shared/api/query-client';
import { inZone } from '../../../shared/api/use-zone';
import type { FolderContent } from '../api/use-folder-content';
import type { Entry } from '../entries';

/** More than what is shown without virtual rows, so that whatever has a second page is virtual. */
const pageSize = 500;

/** What a zone holds under a name, in the shape of what a folder holds; nothing is asked for without a name. */
export function useSearchContent(zoneId: number, q: string): FolderContent {
  const list = useInfiniteQuery({
    queryKey: ['get', '/api/zones/{id}/search', { zoneId, q }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Schema<'SearchHitDto'>>> => {
      const { data, response } = await api.GET('/api/zones/{id}/search', {
        params: { path: inZone(zoneId), query: { q, limit: pageSize, cursor } },
        signal,
      });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: freshness.files,
    enabled: q !== '',
    // While the next word is looked for, what was found for the last one stays.
    placeholderData: (before, query) => (query?.queryKey[2].zoneId === zoneId ? before : undefined),
  });
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items.flatMap(toEntry)) ?? [], [list.data]);
  return {
    entries,
    total: list.data?.pages[0]?.total ?? 0,
    ready: list.data !== undefined,
    error: list.error,
    complete: list.data !== undefined && !list.hasNextPage,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
    refetch: list.refetch,
  };
}

/** A file or folder that was found, with the folders in which it lies. */
export function toEntry({ file, folder, path }: Schema<'SearchHitDto'>): Entry[] {
  if (file) return [{ kind: 'file', file, path }];
  return folder ? [{ kind: 'folder', folder, path }] : [];
}
