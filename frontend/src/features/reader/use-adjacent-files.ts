import {
  useInfiniteQuery,
  useQueries,
  useQuery,
  type InfiniteData,
  type QueryClient,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schema } from '../../shared/api/client';
import type { ListPage } from '../../shared/api/list-page';
import { BLOCK_SIZE, blockOf, type Block } from '../../shared/browse/blocks';
import {
  fetchFilePosition,
  fileBlockQuery,
  searchListQuery,
  type FolderList,
  type SearchList,
} from '../../shared/files/file-lists';

type StoredFile = Schema<'FileDto'>;

interface Options {
  /** Undefined while loading. */
  file: StoredFile | undefined;
  /** The list the reader came from; otherwise the file's folder, sorted by name. */
  list: FolderList | SearchList | undefined;
  /** Sends no request before the file itself is displayed. */
  enabled: boolean;
}

/** Returns the previous and next file of the list, as far as they are loaded. */
export function useAdjacentFiles({ file, list, enabled }: Options) {
  const folder: FolderList =
    list && !('q' in list)
      ? list
      : { zoneId: file?.zoneId ?? 0, folderId: file?.folderId ?? null, by: 'name', order: 'asc' };
  const search = list && 'q' in list ? list : undefined;
  // Never refetched: an order that changes while reading would lead in circles.
  const searchQuery = useInfiniteQuery({
    ...searchListQuery(search ?? { zoneId: 0, q: '' }),
    staleTime: Infinity,
    enabled: enabled && search !== undefined,
  });
  const id = enabled ? file?.id : undefined;
  const inFolder = useNeighboursInFolder(folder, search ? undefined : id);
  const hits = flattenPages(searchQuery.data).flatMap((hit) => hit.file ?? []);
  const inSearch = useNeighbours(searchQuery, hits, search ? id : undefined);
  return search ? inSearch : inFolder;
}

/** Returns the files before and after one of a folder. Loads only the blocks that have them. */
function useNeighboursInFolder(list: FolderList, id: number | undefined) {
  const { data: index } = useQuery({
    queryKey: ['get', '/api/zones/{id}/files/position', { ...list, fileId: id }],
    queryFn: async ({ client, signal }) => {
      const cachedIndex = findInCache(client, list, id!);
      if (cachedIndex !== undefined) return cachedIndex;
      // Most folders are one block, which has the neighbours.
      await client.ensureQueryData(fileBlockQuery(list, 0));
      return findInCache(client, list, id!) ?? fetchFilePosition(list, id!, signal);
    },
    staleTime: Infinity,
    // The position changes with the list.
    gcTime: 0,
    enabled: id !== undefined,
  });
  const positions = id === undefined || index === undefined ? [] : [index, index - 1, index + 1];
  const numbers = [...new Set(positions.filter((position) => position >= 0).map(blockOf))].sort((a, b) => a - b);
  const files = useQueries({
    queries: numbers.map((number) => ({ ...fileBlockQuery(list, number), staleTime: Infinity })),
    combine: (results) => results.flatMap(({ data }) => data?.items ?? []),
  });
  const found = files.findIndex((file) => file.id === id);
  return { previous: found > 0 ? files[found - 1] : undefined, next: found >= 0 ? files[found + 1] : undefined };
}

/** The position of a file, if its block is cached. */
function findInCache(queryClient: QueryClient, list: FolderList, id: number): number | undefined {
  const cached = queryClient.getQueriesData<Block<StoredFile>>({ queryKey: ['get', '/api/zones/{id}/files', list] });
  for (const [, block] of cached) {
    const index = block?.items.findIndex((file) => file.id === id) ?? -1;
    if (block && index >= 0) return block.number * BLOCK_SIZE + index;
  }
  return undefined;
}

type PagedQuery = Pick<UseInfiniteQueryResult<unknown>, 'hasNextPage' | 'isFetching' | 'isError' | 'fetchNextPage'>;

/**
 * Returns the entries before and after one of a list. Loads the pages of the list up to it and the next entry.
 * @param id undefined while the entry isn't known
 */
export function useNeighbours<T extends { id: number }>(query: PagedQuery, entries: readonly T[], id?: number) {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const index = entries.findIndex((entry) => entry.id === id);
  const needsNextPage = id !== undefined && entries.length > 0 && (index < 0 || index === entries.length - 1);
  useEffect(() => {
    if (needsNextPage && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [needsNextPage, hasNextPage, isFetching, isError, fetchNextPage]);
  return { previous: index > 0 ? entries[index - 1] : undefined, next: index >= 0 ? entries[index + 1] : undefined };
}

export function flattenPages<T>(data: InfiniteData<ListPage<T>> | undefined): T[] {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}
