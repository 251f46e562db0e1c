import type { QueryClient } from '@tanstack/react-query';
import type { Block } from './blocks';

/** The cached blocks of a list by key. */
export type CachedList<T> = ReadonlyMap<readonly unknown[], Block<T>>;

/**
 * Returns the lists of which blocks are cached.
 * @param queryKey the start of their keys
 */
export function cachedLists<T>(queryClient: QueryClient, queryKey: readonly unknown[]): CachedList<T>[] {
  const lists = new Map<string, Map<readonly unknown[], Block<T>>>();
  for (const [key, block] of queryClient.getQueriesData<Block<T>>({ queryKey })) {
    const { block: number, ...list } = key[2] as { block?: number };
    if (!block || number === undefined) continue;
    const name = JSON.stringify(list);
    lists.set(name, (lists.get(name) ?? new Map<readonly unknown[], Block<T>>()).set(key, block));
  }
  return [...lists.values()];
}

/** Writes the changed blocks of a list, in the order of `list`, to the cache. */
export function updateList<T>(queryClient: QueryClient, list: CachedList<T>, blocks: readonly Block<T>[]): void {
  for (const [index, [key, previous]] of [...list].entries())
    if (blocks[index] !== previous) queryClient.setQueryData(key, blocks[index]);
}
