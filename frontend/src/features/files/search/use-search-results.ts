import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schema } from '../../../shared/api/client';
import { searchListQuery } from '../../../shared/files/file-lists';
import type { FolderContent } from '../api/use-folder-content';
import type { Entry } from '../entries';

/**
 * Searches a zone by name and returns the results in the shape of a folder's content; sends no request for an empty
 * query.
 */
export function useSearchResults(zoneId: number, q: string): FolderContent {
  const list = useInfiniteQuery({
    ...searchListQuery({ zoneId, q }),
    enabled: q !== '',
    // Keeps the previous results while the next query is loading.
    placeholderData: (previous, query) => (query?.queryKey[2].zoneId === zoneId ? previous : undefined),
  });
  const entries = useMemo(() => list.data?.pages.flatMap(({ items }) => items.flatMap(toEntries)) ?? [], [list.data]);
  return {
    entries,
    total: list.data?.pages[0]?.total ?? 0,
    isLoaded: list.data !== undefined,
    isOutdated: list.isPlaceholderData,
    error: list.error,
    isComplete: list.data !== undefined && !list.hasNextPage,
    loadEntries: async (first, end) => {
      let result: typeof list | Awaited<ReturnType<typeof list.fetchNextPage>> = list;
      while (result.hasNextPage) result = await result.fetchNextPage({ throwOnError: true });
      return (result.data?.pages ?? []).flatMap(({ items }) => items.flatMap(toEntries)).slice(first, end);
    },
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
    refetch: list.refetch,
  };
}

/** Converts a search hit to a file or folder with its path. */
export function toEntries({ file, folder, path }: Schema<'SearchHitDto'>): Entry[] {
  if (file) return [{ kind: 'file', file, path }];
  return folder ? [{ kind: 'folder', folder, path }] : [];
}
