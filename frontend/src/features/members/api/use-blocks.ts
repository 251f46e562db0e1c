import { useMutation, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/pages';
import { useTouched } from '../../../shared/api/touch';
import { inZone } from '../../../shared/api/use-zone';

export type Block = Schema<'BlockDto'>;

export const blocksPath = '/api/zones/{id}/blocks';
const pageSize = 500;

/** Who is blocked in a zone, the newest first, page by page. */
export function useBlocks(zoneId: number) {
  const list = useInfiniteQuery({
    queryKey: ['get', blocksPath, { zoneId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Block>> => {
      const params = { path: inZone(zoneId), query: { limit: pageSize, cursor } };
      const { data, response } = await api.GET(blocksPath, { params, signal });
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

/** Ends a block. */
export function useUnblock(zoneId: number) {
  const touched = useTouched();
  return useMutation({
    mutationFn: (userId: number) =>
      api.DELETE(`${blocksPath}/{userId}`, { params: { path: { ...inZone(zoneId), userId } } }),
    onSettled: () => touched('DELETE /api/zones/{id}/blocks/{userId}'),
  });
}
