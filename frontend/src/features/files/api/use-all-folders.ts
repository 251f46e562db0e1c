import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { staleTimes } from '../../../shared/api/query-client';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { Folder } from '../entries';

/**
 * Loads all folders of a zone at every level, except those inside mirrors; `folders` is undefined until all are loaded.
 */
export function useAllFolders(zoneId: number) {
  const list = useInfiniteQuery({
    queryKey: ['get', '/api/zones/{id}/folders', { zoneId, all: true }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Folder>> => {
      const query = { all: 'true' as const, limit: 1000, cursor };
      const { data, response } = await api.GET('/api/zones/{id}/folders', {
        params: { path: zonePathParams(zoneId), query },
        signal,
      });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: staleTimes.allFolders,
  });
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const folders = useMemo(
    () => (data && !hasNextPage ? data.pages.flatMap(({ items }) => items) : undefined),
    [data, hasNextPage],
  );
  return { folders, error, refetch };
}
