import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { BLOCK_SIZE, blockOf, blocksOf, fromBlocks, type Block, type BlockQuery, type ItemRange } from './blocks';

/** Blocks of a list that stay in the cache, so that scrolling back a little sends no request. */
const MAX_CACHED_BLOCKS = 12;

/** A list of any length of which only a part is loaded. */
export interface ListWindow<T> {
  /** By position; undefined where nothing is loaded. */
  readonly items: readonly (T | undefined)[];
  readonly isLoaded: boolean;
  readonly error: Error | null;
}

interface Options {
  /** While another order of the same scope is loading, the previous items stay. */
  readonly scope: string;
  readonly range: ItemRange;
}

/**
 * Loads the blocks of a list around the part that is on the screen.
 * @param blockQuery must keep its identity
 */
export function useWindow<T extends { id: number }>(
  blockQuery: (block: number) => BlockQuery<T>,
  { scope, range }: Options,
): ListWindow<T> {
  const queryClient = useQueryClient();
  const [last, setLast] = useState<{ scope: string; items: readonly (T | undefined)[] } | null>(null);
  const previous = last?.scope === scope ? last.items : undefined;
  // The hook's types can't be resolved for an unknown type.
  const numbers = blocksOf(range, previous?.length ?? 0);
  const queries: BlockQuery<unknown>[] = numbers.map(blockQuery);
  const { blocks, total, error } = useQueries({ queries, combine: combineBlocks });
  const items = useMemo(
    () => (total === undefined ? undefined : fromBlocks(blocks as Block<T>[], total)),
    [blocks, total],
  );
  if (items && last?.items !== items) setLast({ scope, items });

  const checkedPartRef = useRef('');
  const blockNumbers = numbers.join();
  useEffect(() => {
    const [method, path, { block: _, ...list }] = blockQuery(0).queryKey;
    const cached = queryClient.getQueryCache().findAll({ queryKey: [method, path, list] });
    const unused = cached
      .filter((query) => query.getObserversCount() === 0)
      .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
    const excess = cached.length - MAX_CACHED_BLOCKS;
    for (const [index, { state, queryKey }] of unused.entries())
      if (index < excess || state.isInvalidated) queryClient.removeQueries({ queryKey, exact: true });

    // Blocks loaded before a change of the list don't fit those loaded after it. Checked once for each part of the list:
    // one that changes all the time would be requested all the time.
    const part = `${JSON.stringify(list)} ${blockNumbers}`;
    const observed = cached.filter((query) => !unused.includes(query));
    if (checkedPartRef.current === part || observed.some(({ state }) => state.fetchStatus !== 'idle')) return;
    checkedPartRef.current = part;
    const outdated = observed.filter(
      ({ state }) => state.isInvalidated || (state.data as Block<T> | undefined)?.total !== total,
    );
    if (outdated.length === observed.length) return;
    for (const { queryKey } of outdated) void queryClient.refetchQueries({ queryKey, exact: true });
  }, [queryClient, blockQuery, blocks, blockNumbers, total]);

  const shown = items ?? previous;
  return { items: shown ?? [], isLoaded: shown !== undefined, error };
}

function combineBlocks(results: readonly UseQueryResult<Block<unknown>>[]) {
  const loaded = results
    .filter((result) => result.data !== undefined)
    .sort((a, b) => a.dataUpdatedAt - b.dataUpdatedAt);
  return {
    blocks: loaded.flatMap(({ data }) => data ?? []),
    total: loaded.at(-1)?.data?.total,
    error: results.find((result) => result.error !== null)?.error ?? null,
  };
}

const TOP: ItemRange = { first: 0, last: 0 };

/** Nothing is loaded until the scroll bar rests for this long after a jump: dragged, it passes many blocks. */
const JUMP_DELAY_MS = 100;

/**
 * Keeps the part of a list that is on the screen, for `useWindow`. Another list begins at its top.
 * @returns the range, and the callback for `VirtualItems`
 */
export function useShownRange(scope: string): [ItemRange, (range: ItemRange) => void] {
  const [view, setView] = useState({ scope, range: TOP });
  const range = view.scope === scope ? view.range : TOP;
  const firstRef = useRef(range.first);
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    firstRef.current = range.first;
  }, [range]);
  useEffect(() => () => clearTimeout(timerRef.current), [scope]);

  const onRangeChange = useCallback(
    (shown: ItemRange) => {
      const next = { scope, range: snapToBlocks(shown) };
      const show = () => setView((previous) => (JSON.stringify(next) === JSON.stringify(previous) ? previous : next));
      clearTimeout(timerRef.current);
      if (Math.abs(next.range.first - firstRef.current) <= BLOCK_SIZE) show();
      else timerRef.current = setTimeout(show, JUMP_DELAY_MS);
    },
    [scope],
  );
  return [range, onRangeChange];
}

/** Scrolling within a block then changes no state. */
function snapToBlocks({ first, last, pinned }: ItemRange): ItemRange {
  const snap = (index: number) => blockOf(index) * BLOCK_SIZE;
  return {
    first: snap(first),
    last: snap(last) + BLOCK_SIZE - 1,
    pinned: pinned === undefined ? undefined : snap(pinned),
  };
}
