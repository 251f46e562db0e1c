import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ListPage } from '../../../shared/api/list-page';
import type { Entry } from '../entries';

type CachedPages = InfiniteData<ListPage<{ id: number }>>;

/**
 * Removes folders and files from the cached lists optimistically, before the server has answered. The caller must
 * invalidate the lists afterwards, also when the request fails.
 */
export async function hideEntries(queryClient: QueryClient, zoneId: number, entries: readonly Entry[]): Promise<void> {
  const idsOf = (kind: Entry['kind']) =>
    new Set(
      entries.flatMap((entry) =>
        entry.kind === kind ? (entry.kind === 'file' ? entry.file.id : entry.folder.id) : [],
      ),
    );
  for (const [path, ids] of [
    ['/api/zones/{id}/files', idsOf('file')],
    ['/api/zones/{id}/folders', idsOf('folder')],
  ] as const) {
    if (ids.size === 0) continue;
    const queryKey = ['get', path, { zoneId }];
    // A response in flight would bring them back.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueriesData<CachedPages>(
      { queryKey, predicate: ({ queryKey: [, , params] }) => !isAllFoldersQuery(params) },
      (data) => data && withoutItems(data, ids),
    );
  }
}

/** The list of all folders offers move targets; it isn't a visible list. */
const isAllFoldersQuery = (params: unknown) => typeof params === 'object' && params !== null && 'all' in params;

/** Returns the pages of a list without the given items. */
export function withoutItems(data: CachedPages, ids: ReadonlySet<number>): CachedPages {
  const removedCount = data.pages.reduce((sum, { items }) => sum + items.filter(({ id }) => ids.has(id)).length, 0);
  if (removedCount === 0) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ id }) => !ids.has(id)),
    total: page.total - removedCount,
  }));
  return { ...data, pages };
}
