import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Schema } from '../../../shared/api/client';
import type { ListPage } from '../../../shared/api/list-page';
import { BLOCK_SIZE, fromBlocks, removeFromBlocks, type Block } from '../../../shared/browse/blocks';
import { cachedLists, updateList } from '../../../shared/browse/cached-blocks';
import type { Entry, Folder } from '../entries';

/** The paths of the lists of a folder. */
const listPaths = { file: '/api/zones/{id}/files', folder: '/api/zones/{id}/folders' } as const;

interface Item {
  readonly id: number;
}

/** The cached lists of folders or files. That of all folders isn't among them; it offers move targets. */
const listsOf = (queryClient: QueryClient, kind: Entry['kind'], list: object) =>
  cachedLists<Item>(queryClient, ['get', listPaths[kind], list]);

/**
 * Removes folders and files from the cached lists optimistically, before the server has answered. The caller must
 * invalidate the lists afterwards, also when the request fails.
 * @returns whether everything on the screen is up to date then
 */
export async function hideEntries(
  queryClient: QueryClient,
  zoneId: number,
  entries: readonly Entry[],
): Promise<boolean> {
  const searches = { queryKey: ['get', '/api/zones/{id}/search'], type: 'active' } as const;
  let isUpToDate = queryClient.getQueryCache().findAll(searches).length === 0;
  for (const kind of ['file', 'folder'] as const) {
    const ids = idsOf(entries, kind);
    if (ids.size === 0) continue;
    // A response in flight would bring them back.
    await queryClient.cancelQueries({ queryKey: ['get', listPaths[kind], { zoneId }] });
    let removedCount = 0;
    for (const list of listsOf(queryClient, kind, { zoneId })) {
      const blocks = [...list.values()];
      const remaining = removeFromBlocks(blocks, ids);
      updateList(queryClient, list, remaining);
      removedCount = Math.max(removedCount, totalOf(blocks) - totalOf(remaining));
    }
    if (removedCount < ids.size) isUpToDate = false;
  }
  return isUpToDate;
}

const totalOf = (blocks: readonly Block<Item>[]) => Math.max(0, ...blocks.map(({ total }) => total));

/** Requests the blocks on the screen again that `hideEntries` couldn't fill. */
export async function refetchShortBlocks(queryClient: QueryClient, zoneId: number): Promise<void> {
  for (const kind of ['file', 'folder'] as const)
    for (const list of listsOf(queryClient, kind, { zoneId }))
      for (const [queryKey, { number, items, total }] of list)
        if (items.length < Math.min(BLOCK_SIZE, total - number * BLOCK_SIZE))
          await queryClient.refetchQueries({ queryKey, exact: true, type: 'active' });
}

/** Writes a changed file or folder to the cached lists and search results. It stays where it is in them. */
export function replaceEntry(queryClient: QueryClient, entry: Entry): void {
  const item: Item = entry.kind === 'folder' ? entry.folder : entry.file;
  const replace = <T extends Item>(row: T): T => (row.id === item.id ? { ...row, ...item } : row);
  for (const list of listsOf(queryClient, entry.kind, {})) {
    const blocks = [...list.values()];
    const update = (block: Block<Item>) =>
      block.items.some(({ id }) => id === item.id) ? { ...block, items: block.items.map(replace) } : block;
    updateList(queryClient, list, blocks.map(update));
  }
  const replaceHit = (hit: Schema<'SearchHitDto'>) => {
    const { file, folder } = hit;
    if (entry.kind === 'file') return file ? { ...hit, file: replace(file) } : hit;
    return folder ? { ...hit, folder: replace(folder) } : hit;
  };
  queryClient.setQueriesData<InfiniteData<ListPage<Schema<'SearchHitDto'>>>>(
    { queryKey: ['get', '/api/zones/{id}/search'] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replaceHit) })) },
  );
}

/** Compares names like the server: in Turkish order, numbers by value. */
const nameOrder = new Intl.Collator('tr', { numeric: true });

/**
 * Adds a new folder to the cached lists of its parent.
 * @returns false if a list isn't completely loaded, so that its position isn't known
 */
export function insertFolder(queryClient: QueryClient, folder: Folder): boolean {
  let isComplete = true;
  const { zoneId, parentId: folderId } = folder;
  for (const list of listsOf(queryClient, 'folder', { zoneId, folderId })) {
    const blocks = [...list.values()];
    const total = totalOf(blocks);
    const folders = fromBlocks(blocks, total) as (Folder | undefined)[];
    const { order } = [...list.keys()][0]![2] as { order: 'asc' | 'desc' };
    const isAfter = ({ name }: Folder) => nameOrder.compare(name, folder.name) * (order === 'asc' ? 1 : -1) > 0;
    const next = folders.findIndex((other) => other && isAfter(other));
    if (folders.includes(undefined)) isComplete = false;
    else {
      const items = [...(folders as Folder[])];
      items.splice(next < 0 ? total : next, 0, folder);
      const update = ({ number }: Block<Item>) => ({
        number,
        items: items.slice(number * BLOCK_SIZE, (number + 1) * BLOCK_SIZE),
        total: items.length,
      });
      updateList(queryClient, list, blocks.map(update));
    }
  }
  return isComplete;
}

function idsOf(entries: readonly Entry[], kind: Entry['kind']): Set<number> {
  return new Set(
    entries.flatMap((entry) => (entry.kind === kind ? (entry.kind === 'file' ? entry.file.id : entry.folder.id) : [])),
  );
}
