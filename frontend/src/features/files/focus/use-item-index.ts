import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { hasCode } from '../../../shared/api/api-error';
import type { FolderContent } from '../api/use-folder-content';
import { entryKey } from '../entries';

/** Where an item of a list is. */
interface ItemIndex {
  /** -1 if no item is wanted, or it isn't found (yet). */
  index: number;
  /** The list doesn't have the item. */
  isMissing: boolean;
}

/**
 * Finds an item of a list. Asks the server for its position if it isn't loaded, or loads the pages before it.
 * @param key null if no item is wanted
 */
export function useItemIndex(content: FolderContent, key: string | null): ItemIndex {
  const { entries, total, isLoaded, isComplete, loadMore, positionQuery } = content;
  const loadedIndex = useMemo(
    () => (key === null ? -1 : entries.findIndex((entry) => entry && entryKey(entry) === key)),
    [entries, key],
  );
  // Once found, an item isn't searched for again when it leaves the screen, or is moved or deleted.
  const [found, setFound] = useState<{ key: string; index: number } | null>(null);
  const wasFound = found !== null && found.key === key;
  const isUnknown = key !== null && !wasFound && isLoaded && loadedIndex < 0 && !isComplete;
  const query: UseQueryOptions<number> = positionQuery?.(key ?? '') ?? { queryKey: ['position'], queryFn: () => -1 };
  const { data: position = -1, error } = useQuery({
    ...query,
    gcTime: 0,
    enabled: isUnknown && positionQuery !== undefined,
  });
  useEffect(() => {
    if (isUnknown) loadMore?.();
  }, [isUnknown, loadMore]);

  const index = loadedIndex < 0 && isUnknown && position < total ? position : loadedIndex;
  if (key !== null && index >= 0 && (!wasFound || found.index !== index)) setFound({ key, index });
  if (wasFound) return { index: index < 0 && !isComplete ? found.index : index, isMissing: false };
  const isGone = isUnknown
    ? position >= total || hasCode(error, 'FILE_NOT_FOUND', 'FOLDER_NOT_FOUND')
    : key !== null && isLoaded && index < 0;
  return { index, isMissing: isGone };
}
