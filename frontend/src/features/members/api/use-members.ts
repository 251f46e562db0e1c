import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { toPage } from '../../../shared/api/list-page';
import { invalidate, useInvalidate } from '../../../shared/api/invalidate';
import type { MutationRoute } from '../../../shared/api/invalidation-map';
import { zonePathParams } from '../../../shared/api/use-zone';
import { BLOCK_SIZE, removeFromBlocks, type BlockQuery } from '../../../shared/browse/blocks';
import { cachedLists, updateList } from '../../../shared/browse/cached-blocks';
import type { Sort } from '../../../shared/browse/sort';
import { useShownRange, useWindow } from '../../../shared/browse/use-window';
import { BLOCKS_PATH } from './use-blocks';

export type Member = Schema<'MemberDto'>;
export const memberSortKeys = ['email', 'name', 'joined'] as const;
export type MemberSortKey = (typeof memberSortKeys)[number];
export type MemberState = 'active' | 'expired';

const MEMBERS_PATH = '/api/zones/{id}/members';

interface MemberQuery {
  zoneId: number;
  q: string;
  state: MemberState;
}

/** Loads the members of a zone around the part on the screen, sorted and searched by the server. */
export function useMembers({ zoneId, q, state }: MemberQuery, { by, order }: Sort<MemberSortKey>) {
  const queryClient = useQueryClient();
  const [range, onRangeChange] = useShownRange(`${zoneId} ${state} ${q}`);
  const blockQuery = useCallback(
    (block: number): BlockQuery<Member> => ({
      queryKey: ['get', MEMBERS_PATH, { zoneId, q, state, by, order, block } as { block: number }],
      queryFn: async ({ signal }) => {
        const query = { sort: by, order, limit: BLOCK_SIZE, offset: block * BLOCK_SIZE, state, ...(q && { q }) };
        const params = { path: zonePathParams(zoneId), query };
        const { data, response } = await api.GET(MEMBERS_PATH, { params, signal });
        const { items, total } = toPage(data, response.headers);
        return { number: block, items, total };
      },
    }),
    [zoneId, q, state, by, order],
  );
  // Keeps the current rows while another order or search is loading.
  const { items, isLoaded, error } = useWindow(blockQuery, { scope: String(zoneId), range });
  const refetch = () => queryClient.refetchQueries({ queryKey: ['get', MEMBERS_PATH, { zoneId }], type: 'active' });
  return { members: items, isReady: isLoaded, error, refetch, onRangeChange };
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
    onMutate: (userId: number) => hideMember(queryClient, userId),
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

function hideMember(queryClient: QueryClient, userId: number): void {
  for (const list of cachedLists<Member>(queryClient, ['get', MEMBERS_PATH])) {
    const blocks = [...list.values()];
    const hidden = blocks.flatMap(({ items }) => items).filter((member) => member.userId === userId);
    updateList(queryClient, list, removeFromBlocks(blocks, new Set(hidden.map(({ id }) => id))));
  }
}
