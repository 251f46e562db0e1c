import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schema } from '../../../shared/api/client';
import { searchListQuery } from '../../../shared/files/file-lists';
import type { FolderContent } from '../api/use-folder-content';
import type { Entry } from '../entries';

/** What a zone holds under a name, in the shape of what a folder holds; nothing is asked for without a name. */
export function useSearchResults(zoneId: number, q: string): FolderContent {
  const list = useInfiniteQuery({
    ...searchListQuery({ zoneId, q }),
    enabled: q !== '',
    // While the next word is looked for, what was found for the last one stays.
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
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
    refetch: list.refetch,
  };
}

/** A file or folder that was found, with the folders in which it lies. */
export function toEntries({ file, folder, path }: Schema<'SearchHitDto'>): Entry[] {
  if (file) return [{ kind: 'file', file, path }];
  return folder ? [{ kind: 'folder', folder, path }] : [];
}
