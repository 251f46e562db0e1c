import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schema } from '../../shared/api/client';
import type { ListPage } from '../../shared/api/list-page';
import { folderListQuery, searchListQuery, type FolderList, type SearchList } from '../../shared/files/file-lists';

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
  const folderQuery = useInfiniteQuery({
    ...folderListQuery(folder),
    staleTime: Infinity,
    enabled: enabled && file !== undefined && search === undefined,
  });
  const files = search
    ? flattenPages(searchQuery.data).flatMap((hit) => hit.file ?? [])
    : flattenPages(folderQuery.data);
  return useNeighbours(search ? searchQuery : folderQuery, files, enabled ? file?.id : undefined);
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
