import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schema } from '../../shared/api/client';
import type { ListPage } from '../../shared/api/list-page';
import { folderListQuery, searchListQuery, type FolderList, type SearchList } from '../../shared/files/file-lists';

type StoredFile = Schema<'FileDto'>;

interface Options {
  /** Unknown while it is on its way. */
  file: StoredFile | undefined;
  /** The list from which one came; its folder in the order of names where one came from elsewhere. */
  list: FolderList | SearchList | undefined;
  /** Nothing is asked before what is read is on the screen. */
  enabled: boolean;
}

/** The files before and after this one in its list, as far as they are known. */
export function useAdjacentFiles({ file, list, enabled }: Options) {
  const folder: FolderList =
    list && !('q' in list)
      ? list
      : { zoneId: file?.zoneId ?? 0, folderId: file?.folderId ?? null, by: 'name', order: 'asc' };
  const search = list && 'q' in list ? list : undefined;
  // What the list has is enough: an order that changes while one reads would lead in circles.
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
  const index = files.findIndex(({ id }) => id === file?.id);
  const { hasNextPage, isFetching, isError, fetchNextPage } = search ? searchQuery : folderQuery;
  const needsNextPage = enabled && file !== undefined && files.length > 0 && (index < 0 || index === files.length - 1);
  useEffect(() => {
    if (needsNextPage && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [needsNextPage, hasNextPage, isFetching, isError, fetchNextPage]);
  return { previous: index > 0 ? files[index - 1] : undefined, next: index >= 0 ? files[index + 1] : undefined };
}

function flattenPages<T>(data: InfiniteData<ListPage<T>> | undefined): T[] {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}
