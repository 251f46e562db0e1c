import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { LinkedItem } from '../../../shared/files/linked-item';

export type ItemLink = Schema<'ItemLinkDto'>;
export type ItemGuest = Schema<'ItemGuestDto'>;
export type NewItemLink = Schema<'CreateItemLinkDto'>;
export type ItemLinkChange = Schema<'UpdateItemLinkDto'>;

const PAGE_SIZE = 100;

type LoadPage<T> = (query: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<ListPage<T>>;

/** Loads a list of the server in pages. */
function useList<T>(queryKey: readonly unknown[], loadPage: LoadPage<T>) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => loadPage({ limit: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  return {
    items: data?.pages.flatMap(({ items }) => items),
    error,
    refetch,
    loadMore: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}

/** Loads the links to all files and folders of a zone, newest first. */
export function useZoneItemLinks(zoneId: number) {
  const path = zonePathParams(zoneId);
  return useList<ItemLink>(['get', '/api/zones/{id}/item-links', path], async (query, signal) => {
    const { data, response } = await api.GET('/api/zones/{id}/item-links', { params: { path, query }, signal });
    return toPage(data, response.headers);
  });
}

/** Loads the links to a file or folder, newest first. */
export function useItemLinks({ kind, id }: LinkedItem) {
  return useList<ItemLink>(['get', pathOf(kind), { id }], async (query, signal) => {
    const init = { params: { path: { id }, query }, signal };
    const { data, response } = await (kind === 'file'
      ? api.GET('/api/files/{id}/links', init)
      : api.GET('/api/folders/{id}/links', init));
    return toPage(data, response.headers);
  });
}

const pathOf = (kind: LinkedItem['kind']) => (kind === 'file' ? '/api/files/{id}/links' : '/api/folders/{id}/links');

/** Loads the people who entered by a link, newest first. */
export function useItemGuests(linkId: number) {
  const path = { id: linkId };
  return useList<ItemGuest>(['get', '/api/item-links/{id}/guests', path], async (query, signal) => {
    const { data, response } = await api.GET('/api/item-links/{id}/guests', { params: { path, query }, signal });
    return toPage(data, response.headers);
  });
}

export function useCreateItemLink({ kind, id }: LinkedItem) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async (body: NewItemLink) => {
      const init = { params: { path: { id } }, body };
      const { data } = await (kind === 'file'
        ? api.POST('/api/files/{id}/links', init)
        : api.POST('/api/folders/{id}/links', init));
      return data!;
    },
    onSuccess: () => invalidate(`POST ${pathOf(kind)}`),
  });
}

/** Changes, pauses or resumes a link. */
export function useUpdateItemLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ id, ...body }: ItemLinkChange & { id: number }) =>
      api.PATCH('/api/item-links/{id}', { params: { path: { id } }, body }),
    onSuccess: () => invalidate('PATCH /api/item-links/{id}'),
  });
}

export function useDeleteItemLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (id: number) => api.DELETE('/api/item-links/{id}', { params: { path: { id } } }),
    onSuccess: () => invalidate('DELETE /api/item-links/{id}'),
  });
}
