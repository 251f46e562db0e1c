import type { QueryClient } from '@tanstack/react-query';
import { removeFromBlocks, type Block } from '../../../shared/browse/blocks';
import type { Entry } from '../entries';

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
    for (const list of cachedLists(queryClient, queryKey)) removeFromList(queryClient, list, ids);
  }
}

type CachedList = Map<readonly unknown[], Block<{ id: number }>>;

/** The cached blocks of each list by key. The list of all folders has none; it offers move targets. */
function cachedLists(queryClient: QueryClient, queryKey: readonly unknown[]): Iterable<CachedList> {
  const lists = new Map<string, CachedList>();
  for (const [key, block] of queryClient.getQueriesData<Block<{ id: number }>>({ queryKey })) {
    const list = key[2] as { block?: number };
    if (!block || list.block === undefined) continue;
    const name = JSON.stringify({ ...list, block: undefined });
    lists.set(name, (lists.get(name) ?? new Map()).set(key, block));
  }
  return lists.values();
}

function removeFromList(queryClient: QueryClient, list: CachedList, ids: ReadonlySet<number>): void {
  const blocks = removeFromBlocks([...list.values()], ids);
  for (const [index, [key, previous]] of [...list].entries())
    if (blocks[index] !== previous) queryClient.setQueryData(key, blocks[index]);
}
