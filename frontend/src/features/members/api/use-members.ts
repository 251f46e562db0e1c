import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/pages';
import { touch, useTouched } from '../../../shared/api/touch';
import type { Change } from '../../../shared/api/touches';
import { inZone } from '../../../shared/api/use-zone';
import type { Sort } from '../../../shared/browse/sort';
import { blocksPath } from './use-blocks';

export type Member = Schema<'MemberDto'>;
export const memberSortKeys = ['email', 'name', 'joined'] as const;
export type MemberSortKey = (typeof memberSortKeys)[number];
export type MemberState = 'active' | 'expired';

const path = '/api/zones/{id}/members';
/** More than what is shown without virtual rows, so that whatever has a second page is virtual. */
const pageSize = 500;

interface Asked {
  zoneId: number;
  q: string;
  state: MemberState;
}

/** The members of a zone, sorted and searched by the server, page by page. */
export function useMembers({ zoneId, q, state }: Asked, { by, order }: Sort<MemberSortKey>) {
  const list = useInfiniteQuery({
    queryKey: ['get', path, { zoneId, q, state, by, order }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Member>> => {
      const query = { sort: by, order, limit: pageSize, cursor, state, ...(q && { q }) };
      const { data, response } = await api.GET(path, { params: { path: inZone(zoneId), query }, signal });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // While another order or search is on its way the rows stay as they were.
    placeholderData: (before, query) => (query?.queryKey[2].zoneId === zoneId ? before : undefined),
  });
  const members = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  return {
    members,
    total: list.data?.pages[0]?.total ?? 0,
    ready: list.data !== undefined,
    error: list.error,
    refetch: list.refetch,
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
  };
}

/** Changes role or end of a member. */
export function useChangeMember(zoneId: number) {
  const touched = useTouched();
  return useMutation({
    mutationFn: async ({ userId, ...body }: { userId: number } & Schema<'UpdateMemberDto'>) =>
      (await api.PATCH(`${path}/{userId}`, { params: { path: { ...inZone(zoneId), userId } }, body })).data!,
    onSuccess: () => touched('PATCH /api/zones/{id}/members/{userId}'),
  });
}

/** Takes a member out, or back in. The row goes at once; the lists are asked for anew when the server has answered. */
export function useRemoveMember(zoneId: number) {
  const queries = useQueryClient();
  const params = (userId: number) => ({ params: { path: { ...inZone(zoneId), userId } } });
  const takeOut = (change: Change, send: (userId: number) => Promise<unknown>) => ({
    mutationFn: send,
    onMutate: (userId: number) =>
      void queries.setQueriesData({ queryKey: ['get', path] }, (data: InfiniteData<ListPage<Member>> | undefined) =>
        withoutMember(data, userId),
      ),
    onSettled: () => touch(queries, change),
  });
  const remove = useMutation(
    takeOut('DELETE /api/zones/{id}/members/{userId}', (userId) => api.DELETE(`${path}/{userId}`, params(userId))),
  );
  const block = useMutation(
    takeOut('POST /api/zones/{id}/blocks', (userId) =>
      api.POST(blocksPath, { params: { path: inZone(zoneId) }, body: { userId } }),
    ),
  );
  const restore = useMutation({
    mutationFn: (userId: number) => api.POST(`${path}/{userId}/restore`, params(userId)),
    onSettled: () => touch(queries, 'POST /api/zones/{id}/members/{userId}/restore'),
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
