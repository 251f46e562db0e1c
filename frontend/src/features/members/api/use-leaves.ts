import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/pages';
import { inZone } from '../../../shared/api/use-zone';

export type Leave = Schema<'LeaveDto'>;

export const leavesPath = '/api/zones/{id}/leaves';
const pageSize = 500;

/** Who left a zone or was removed from it, the newest first, page by page. */
export function useLeaves(zoneId: number) {
  const list = useInfiniteQuery({
    queryKey: ['get', leavesPath, { zoneId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Leave>> => {
      const params = { path: inZone(zoneId), query: { limit: pageSize, cursor } };
      const { data, response } = await api.GET(leavesPath, { params, signal });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const leaves = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data]);
  return {
    leaves,
    total: list.data?.pages[0]?.total ?? 0,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}
