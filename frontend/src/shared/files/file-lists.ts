import { infiniteQueryOptions } from '@tanstack/react-query';
import { BLOCK_SIZE, type Block, type BlockQuery } from '../browse/blocks';
import { api, type Schema } from '../api/client';
import { toPage, type ListPage } from '../api/list-page';
import { staleTimes } from '../api/query-client';
import { zonePathParams } from '../api/use-zone';

export type FileSortKey = 'name' | 'date' | 'type' | 'size';

/** The sorted files of a folder; a null folder is the root of the zone. */
export interface FolderList {
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly by: FileSortKey;
  readonly order: 'asc' | 'desc';
}

/** The files of a zone that match a search. */
export interface SearchList {
  readonly zoneId: number;
  readonly q: string;
}

/** Larger than the threshold for virtualisation, so every list with a second page is virtualised. */
const PAGE_SIZE = 500;

/** Keeps file lists cached while a file is read for up to an hour; the list is refetched on return. */
const blockOptions = { staleTime: staleTimes.files, gcTime: 60 * 60_000 };

export const listOptions = {
  ...blockOptions,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: ListPage<unknown>) => page.next ?? undefined,
};

/** The folders directly in a folder, by name. */
export interface SubfolderList {
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly order: 'asc' | 'desc';
}

/** A block of the files of a folder. */
export const fileBlockQuery = (list: FolderList, block: number): BlockQuery<Schema<'FileDto'>> => ({
  ...blockOptions,
  queryKey: ['get', '/api/zones/{id}/files', { ...list, block }],
  queryFn: async ({ signal }) => {
    const { zoneId, folderId, by, order } = list;
    const query = { folderId: folderId ?? undefined, sort: by, order, ...blockParams(block) };
    const params = { path: zonePathParams(zoneId), query };
    const { data, response } = await api.GET('/api/zones/{id}/files', { params, signal });
    return toBlock(block, toPage(data, response.headers));
  },
});

/** A block of the folders in a folder. */
export const folderBlockQuery = (list: SubfolderList, block: number): BlockQuery<Schema<'FolderDto'>> => ({
  ...blockOptions,
  queryKey: ['get', '/api/zones/{id}/folders', { ...list, block }],
  queryFn: async ({ signal }) => {
    const { zoneId, folderId, order } = list;
    const query = { parentId: folderId ?? undefined, order, ...blockParams(block) };
    const params = { path: zonePathParams(zoneId), query };
    const { data, response } = await api.GET('/api/zones/{id}/folders', { params, signal });
    return toBlock(block, toPage(data, response.headers));
  },
});

/** Asks for the position of a file in the list of its folder. */
export async function fetchFilePosition(
  { zoneId, folderId, by, order }: FolderList,
  fileId: number,
  signal: AbortSignal,
): Promise<number> {
  const query = { fileId, folderId: folderId ?? undefined, sort: by, order };
  const params = { path: zonePathParams(zoneId), query };
  const { data } = await api.GET('/api/zones/{id}/files/position', { params, signal });
  return data!.index;
}

/** Asks for the position of a folder among the folders of its parent. */
export async function fetchFolderPosition(
  { zoneId, folderId: parentId, order }: SubfolderList,
  folderId: number,
  signal: AbortSignal,
): Promise<number> {
  const query = { folderId, parentId: parentId ?? undefined, order };
  const params = { path: zonePathParams(zoneId), query };
  const { data } = await api.GET('/api/zones/{id}/folders/position', { params, signal });
  return data!.index;
}

const toBlock = <T>(number: number, { items, total }: ListPage<T>): Block<T> => ({ number, items, total });

/** The first block has the address that the router requests with the page. */
const blockParams = (block: number) => ({
  limit: BLOCK_SIZE,
  offset: block === 0 ? undefined : block * BLOCK_SIZE,
});

/** Search results within a zone, paginated. */
export const searchListQuery = (list: SearchList) =>
  infiniteQueryOptions({
    ...listOptions,
    queryKey: ['get', '/api/zones/{id}/search', list] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Schema<'SearchHitDto'>>> => {
      const { data, response } = await api.GET('/api/zones/{id}/search', {
        params: { path: zonePathParams(list.zoneId), query: { q: list.q, limit: PAGE_SIZE, cursor } },
        signal,
      });
      return toPage(data, response.headers);
    },
  });
