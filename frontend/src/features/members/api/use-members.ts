import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { invalidate, useInvalidate } from '../../../shared/api/invalidate';
import type { MutationRoute } from '../../../shared/api/invalidation-map';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { Sort } from '../../../shared/browse/sort';
import { BLOCKS_PATH } from './use-blocks';

export type Member = Schema<'MemberDto'>;
export const memberSortKeys = ['email', 'name', 'joined'] as const;
export type MemberSortKey = (typeof memberSortKeys)[number];
export type MemberState = 'active' | 'expired';

const MEMBERS_PATH = '/api/zones/{id}/members';
/**
 * Larger than the number of rows rendered without virtualisation, so that every list with a second page is virtualised.
 */
const PAGE_SIZE = 500;

interface MemberQuery {
  zoneId: number;
  q: string;
  state: MemberState;
}

/** Loads the members of a zone, sorted and searched by the server, paginated. */
export function useMembers({ zoneId, q, state }: MemberQuery, { by, order }: Sort<MemberSortKey>) {
  const list = useInfiniteQuery({
    queryKey: ['get', MEMBERS_PATH, { zoneId, q, state, by, order }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Member>> => {
      const query = { sort: by, order, limit: PAGE_SIZE, cursor, state, ...(q && { q }) };
      const { data, response } = await api.GET(MEMBERS_PATH, {
        params: { path: zonePathParams(zoneId), query },
        signal,
      });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // Keeps the current rows while another order or search is loading.
    placeholderData: (before, query) => (query?.queryKey[2].zoneId === zoneId ? before : undefined),
  });
  const members = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  return {
    members,
    total: list.data?.pages[0]?.total ?? 0,
    isReady: list.data !== undefined,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}

/** Changes a member's role or expiry date. */
export function useUpdateMember(zoneId: number) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ userId, ...body }: { userId: number } & Schema<'UpdateMemberDto'>) =>
      (await api.PATCH(`${MEMBERS_PATH}/{userId}`, { params: { path: { ...zonePathParams(zoneId), userId } }, body }))
        .data!,
    onSuccess: () => invalidate('PATCH /api/zones/{id}/members/{userId}'),
  });
}

/** Removes a member, or restores them. The row disappears immediately; the lists are refetched after the response. */
export function useMemberRemoval(zoneId: number) {
  const queryClient = useQueryClient();
  const params = (userId: number) => ({ params: { path: { ...zonePathParams(zoneId), userId } } });
  const optimisticRemoval = (operation: MutationRoute, request: (userId: number) => Promise<unknown>) => ({
    mutationFn: request,
    onMutate: (userId: number) =>
      void queryClient.setQueriesData(
        { queryKey: ['get', MEMBERS_PATH] },
        (data: InfiniteData<ListPage<Member>> | undefined) => withoutMember(data, userId),
      ),
    onSettled: () => invalidate(queryClient, operation),
  });
  const remove = useMutation(
    optimisticRemoval('DELETE /api/zones/{id}/members/{userId}', (userId) =>
      api.DELETE(`${MEMBERS_PATH}/{userId}`, params(userId)),
    ),
  );
  const block = useMutation(
    optimisticRemoval('POST /api/zones/{id}/blocks', (userId) =>
      api.POST(BLOCKS_PATH, { params: { path: zonePathParams(zoneId) }, body: { userId } }),
    ),
  );
  const restore = useMutation({
    mutationFn: (userId: number) => api.POST(`${MEMBERS_PATH}/{userId}/restore`, params(userId)),
    onSettled: () => invalidate(queryClient, 'POST /api/zones/{id}/members/{userId}/restore'),
  });
  return { remove, block, restore };
}

function withoutMember(data: InfiniteData<ListPage<Member>> | undefined, userId: number) {
  return (
    data && {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        total: Math.max(0, page.total - 1),
        items: page.items.filter((member) => member.userId !== userId),
      })),
    }
  );
}
