import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { zonePathParams } from '../../../shared/api/use-zone';

export type FormerMember = Schema<'LeaveDto'>;

export const FORMER_MEMBERS_PATH = '/api/zones/{id}/leaves';
const PAGE_SIZE = 500;

/** Loads the people who left a zone or were removed, newest first, paginated. */
export function useFormerMembers(zoneId: number) {
  const list = useInfiniteQuery({
    queryKey: ['get', FORMER_MEMBERS_PATH, { zoneId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<FormerMember>> => {
      const params = { path: zonePathParams(zoneId), query: { limit: PAGE_SIZE, cursor } };
      const { data, response } = await api.GET(FORMER_MEMBERS_PATH, { params, signal });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const formerMembers = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data]);
  return {
    formerMembers,
    total: list.data?.pages[0]?.total ?? 0,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}
