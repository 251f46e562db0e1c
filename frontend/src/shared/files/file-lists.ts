import { infiniteQueryOptions } from '@tanstack/react-query';
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
export const listOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: ListPage<unknown>) => page.next ?? undefined,
  staleTime: staleTimes.files,
  gcTime: 60 * 60_000,
};

/** The files of a folder, paginated. */
export const folderListQuery = (list: FolderList) =>
  infiniteQueryOptions({
    ...listOptions,
    queryKey: ['get', '/api/zones/{id}/files', list] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Schema<'FileDto'>>> => {
      const { zoneId, folderId, by, order } = list;
      const query = { folderId: folderId ?? undefined, sort: by, order, limit: PAGE_SIZE, cursor };
      const { data, response } = await api.GET('/api/zones/{id}/files', {
        params: { path: zonePathParams(zoneId), query },
        signal,
      });
      return toPage(data, response.headers);
    },
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
