import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { $api, api } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { staleTimes } from '../../../shared/api/query-client';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { Sort } from '../../../shared/browse/sort';
import { folderListQuery, listOptions, type FileSortKey } from '../../../shared/files/file-lists';
import type { Entry, Folder } from '../entries';

interface FolderLocation {
  zoneId: number;
  /** null for the root of the zone. */
  folderId: number | null;
}

/** A paginated list of folders and files. */
export interface FolderContent {
  /** The entries loaded so far. */
  entries: readonly Entry[];
  /** Total number of entries, loaded or not. */
  total: number;
  isLoaded: boolean;
  /** `entries` still belong to the previous search until the new results arrive. */
  isOutdated?: boolean;
  error: Error | null;
  /** `entries` holds everything in the folder. */
  isComplete: boolean;
  loadMore?: () => void;
  refetch: () => unknown;
}

/** Loads the content of a folder, sorted by the server and paginated: folders first, then files. */
export function useFolderContent(folderLocation: FolderLocation, sort: Sort<FileSortKey>): FolderContent {
  const folders = useFolders(folderLocation, sort.by === 'name' ? sort.order : 'asc');
  const files = useFiles(folderLocation, sort);
  const entries = useMemo(() => {
    const all: Entry[] = [];
    for (const page of folders.data?.pages ?? []) {
      all.push(...page.items.map((folder) => ({ kind: 'folder', folder }) as const));
    }
    if (folders.hasNextPage) return all;
    for (const page of files.data?.pages ?? []) {
      all.push(...page.items.map((file) => ({ kind: 'file', file }) as const));
    }
    return all;
  }, [folders.data, folders.hasNextPage, files.data]);
  const totalOf = (list: typeof folders | typeof files) => list.data?.pages[0]?.total ?? 0;

  return {
    entries,
    total: totalOf(folders) + totalOf(files),
    isLoaded: folders.data !== undefined && files.data !== undefined,
    error: folders.error ?? files.error,
    isComplete: folders.data !== undefined && files.data !== undefined && !folders.hasNextPage && !files.hasNextPage,
    loadMore: files.hasNextPage && !files.isFetching ? () => void files.fetchNextPage() : undefined,
    refetch: () => Promise.all([folders.refetch(), files.refetch()]),
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

function useFiles(folderLocation: FolderLocation, { by, order }: Sort<FileSortKey>) {
  return useInfiniteQuery({
    ...folderListQuery({ ...folderLocation, by, order }),
    // Keeps the current rows while another sort order is loading.
    placeholderData: (previous, query) => (isSameFolder(query?.queryKey[2], folderLocation) ? previous : undefined),
  });
}

function useFolders({ zoneId, folderId }: FolderLocation, order: 'asc' | 'desc') {
  const folders = useInfiniteQuery({
    ...listOptions,
    queryKey: ['get', '/api/zones/{id}/folders', { zoneId, folderId, order }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Folder>> => {
      const query = { parentId: folderId ?? undefined, order, limit: 1000, cursor };
      const { data, response } = await api.GET('/api/zones/{id}/folders', {
        params: { path: zonePathParams(zoneId), query },
        signal,
      });
      return toPage(data, response.headers);
    },
    placeholderData: (previous, query) =>
      isSameFolder(query?.queryKey[2], { zoneId, folderId }) ? previous : undefined,
  });
  const { hasNextPage, isFetching, fetchNextPage } = folders;
  // Files are listed after the folders, so all folders must be loaded; more than one page of them is rare.
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return folders;
}

const isSameFolder = (a: FolderLocation | undefined, b: FolderLocation) =>
  a?.zoneId === b.zoneId && a.folderId === b.folderId;
