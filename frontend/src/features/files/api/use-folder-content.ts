import { useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { $api, api } from '../../../shared/api/client';
import { staleTimes } from '../../../shared/api/query-client';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { ItemRange } from '../../../shared/browse/blocks';
import type { Sort } from '../../../shared/browse/sort';
import { useShownRange, useWindow } from '../../../shared/browse/use-window';
import {
  fetchFilePosition,
  fetchFolderPosition,
  fileBlockQuery,
  folderBlockQuery,
  type FileSortKey,
} from '../../../shared/files/file-lists';
import { parseEntryKey, toFileEntry, toFolderEntry, type Entry } from '../entries';
import { loadRange } from './load-range';

interface FolderLocation {
  zoneId: number;
  /** null for the root of the zone. */
  folderId: number | null;
}

/** A list of folders and files, of which only a part may be loaded. */
export interface FolderContent {
  /** By position; undefined where nothing is loaded. */
  entries: readonly (Entry | undefined)[];
  /** Total number of entries, loaded or not. */
  total: number;
  isLoaded: boolean;
  /** `entries` still belong to the previous search until the new results arrive. */
  isOutdated?: boolean;
  error: Error | null;
  /** `entries` holds everything in the folder. */
  isComplete: boolean;
  /** Loads the entries around those on the screen. Undefined for lists that are loaded from their beginning on. */
  onRangeChange?: (range: ItemRange) => void;
  /** Loads the next page of a list that is loaded from its beginning on. */
  loadMore?: () => void;
  /** Returns the entries from `first` up to, but without, `end`. */
  loadEntries: (first: number, end: number) => Promise<Entry[]>;
  /** Finds the position of an entry that isn't loaded. Undefined for lists that can't be asked. */
  positionQuery?: (key: string) => UseQueryOptions<number>;
  refetch: () => unknown;
}

/** Loads the content of a folder around the part on the screen, sorted by the server: folders first, then files. */
export function useFolderContent({ zoneId, folderId }: FolderLocation, sort: Sort<FileSortKey>): FolderContent {
  const queryClient = useQueryClient();
  const scope = `${zoneId} ${folderId}`;
  const { by } = sort;
  const fileOrder = sort.order;
  const folderOrder = by === 'name' ? fileOrder : 'asc';
  const [range, onRangeChange] = useShownRange(scope);
  const fileList = useMemo(() => ({ zoneId, folderId, by, order: fileOrder }), [zoneId, folderId, by, fileOrder]);
  const folderList = useMemo(() => ({ zoneId, folderId, order: folderOrder }), [zoneId, folderId, folderOrder]);
  const folderBlock = useCallback((block: number) => folderBlockQuery(folderList, block), [folderList]);
  const fileBlock = useCallback((block: number) => fileBlockQuery(fileList, block), [fileList]);

  const folders = useWindow(folderBlock, { scope, range });
  const folderCount = folders.items.length;
  const files = useWindow(fileBlock, { scope, range: shiftRange(range, -folderCount) });
  const entries = useMemo(
    () => [
      ...folders.items.map((folder) => folder && toFolderEntry(folder)),
      ...files.items.map((file) => file && toFileEntry(file)),
    ],
    [folders.items, files.items],
  );

  const loadEntries = useCallback(
    async (first: number, end: number): Promise<Entry[]> => {
      const loadFolders = (offset: number, limit: number) =>
        api.GET('/api/zones/{id}/folders', {
          params: {
            path: zonePathParams(zoneId),
            query: { parentId: folderId ?? undefined, order: folderOrder, limit, offset },
          },
        });
      const loadFiles = (offset: number, limit: number) =>
        api.GET('/api/zones/{id}/files', {
          params: {
            path: zonePathParams(zoneId),
            query: { folderId: folderId ?? undefined, sort: by, order: fileOrder, limit, offset },
          },
        });
      const foundFolders = await loadRange(first, Math.min(end, folderCount), loadFolders);
      const foundFiles = await loadRange(Math.max(0, first - folderCount), end - folderCount, loadFiles);
      return [...foundFolders.map(toFolderEntry), ...foundFiles.map(toFileEntry)];
    },
    [zoneId, folderId, folderOrder, by, fileOrder, folderCount],
  );
  const positionQuery = useCallback(
    (key: string) => {
      const { kind, id } = parseEntryKey(key);
      return {
        queryKey: ['get', `/api/zones/{id}/${kind}s/position`, { ...folderList, ...fileList, folderCount, itemId: id }],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          kind === 'folder'
            ? fetchFolderPosition(folderList, id, signal)
            : folderCount + (await fetchFilePosition(fileList, id, signal)),
      };
    },
    [fileList, folderList, folderCount],
  );
  const refetch = useCallback(
    () =>
      Promise.all(
        ['/api/zones/{id}/folders', '/api/zones/{id}/files'].map((path) =>
          queryClient.refetchQueries({ queryKey: ['get', path, { zoneId, folderId }], type: 'active' }),
        ),
      ),
    [queryClient, zoneId, folderId],
  );

  return {
    entries,
    total: entries.length,
    isLoaded: folders.isLoaded && files.isLoaded,
    error: folders.error ?? files.error,
    isComplete: folders.isLoaded && files.isLoaded && !entries.includes(undefined),
    onRangeChange,
    loadEntries,
    positionQuery,
    refetch,
  };
}

/** Loads one folder with its path; sends no request at the root. */
export function useFolder(folderId: number | null) {
  return $api.useQuery(
    'get',
    '/api/folders/{id}',
    { params: { path: { id: folderId ?? 0 } } },
    { enabled: folderId !== null, staleTime: staleTimes.files },
  );
}

const shiftRange = ({ first, last, pinned = -1 }: ItemRange, by: number): ItemRange => ({
  first: first + by,
  last: last + by,
  pinned: pinned + by,
});
