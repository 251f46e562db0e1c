import { useMutation, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { useInvalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

export type Block = Schema<'BlockDto'>;

export const BLOCKS_PATH = '/api/zones/{id}/blocks';
const PAGE_SIZE = 500;

/** Loads the people blocked in a zone, newest first, paginated. */
export function useBlocks(zoneId: number) {
  const list = useInfiniteQuery({
    queryKey: ['get', BLOCKS_PATH, { zoneId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Block>> => {
      const params = { path: zonePathParams(zoneId), query: { limit: PAGE_SIZE, cursor } };
      const { data, response } = await api.GET(BLOCKS_PATH, { params, signal });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const blocks = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data]);
  return {
    blocks,
    total: list.data?.pages[0]?.total ?? 0,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}

export function useUnblock(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (userId: number) =>
      api.DELETE(`${BLOCKS_PATH}/{userId}`, { params: { path: { ...zonePathParams(zoneId), userId } } }),
    onSettled: () => invalidate('DELETE /api/zones/{id}/blocks/{userId}'),
  });
}
