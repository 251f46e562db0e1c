import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createQueryClient } from '../api/query-client';
import { BLOCK_SIZE, blocksOf, fromBlocks, removeFromBlocks, type Block, type BlockQuery } from './blocks';
import { useShownRange, useWindow } from './use-window';

interface Item {
  id: number;
}

interface WindowProps {
  list: 'name' | 'size' | 'other';
  first: number;
  scope: string;
}

/** Ids are positions in the original list, whose first `removed` items are gone. */
const makeBlock = (number: number, total: number, removed = 0): Block<Item> => {
  const first = number * BLOCK_SIZE;
  return {
    number,
    items: Array.from({ length: Math.min(BLOCK_SIZE, total - first) }, (_, index) => ({ id: removed + first + index })),
    total,
  };
};

describe('blocksOf', () => {
  it('names the blocks on the screen with one on each side, within the list', () => {
    expect(blocksOf({ first: 0, last: 0 }, 0)).toEqual([0]);
    expect(blocksOf({ first: 0, last: 30 }, 1000)).toEqual([0, 1]);
    expect(blocksOf({ first: 450, last: 520 }, 1000)).toEqual([3, 4, 5, 6]);
    expect(blocksOf({ first: 980, last: 999 }, 1000)).toEqual([8, 9]);
    expect(blocksOf({ first: 5000, last: 5030 }, 150)).toEqual([1]);
    expect(blocksOf({ first: -300, last: -200 }, 150)).toEqual([0]);
  });

  it('adds the block of a pinned item of the list', () => {
    expect(blocksOf({ first: 700, last: 730, pinned: 3 }, 1000)).toEqual([6, 7, 8, 0]);
    expect(blocksOf({ first: 700, last: 730, pinned: -1 }, 1000)).toEqual([6, 7, 8]);
    expect(blocksOf({ first: 700, last: 730, pinned: 1000 }, 1000)).toEqual([6, 7, 8]);
  });
});

describe('fromBlocks', () => {
  it('shows an item once if it is in a block loaded before a change and in one loaded after it', () => {
    const items = fromBlocks([makeBlock(1, 300), makeBlock(2, 301, -1)], 301);
    expect(items.slice(198, 202)).toEqual([{ id: 198 }, undefined, { id: 199 }, { id: 200 }]);
  });
});

describe('removeFromBlocks', () => {
  it('moves the following items up, and shortens a block whose next one is not loaded', () => {
    const blocks = removeFromBlocks([makeBlock(0, 350), makeBlock(1, 350), makeBlock(3, 350)], new Set([5, 320]));
    expect(blocks.map(({ number, items, total }) => [number, items[0]?.id, items.length, total])).toEqual([
      [0, 0, 100, 348],
      [1, 101, 99, 348],
      [3, 301, 48, 348],
    ]);
    expect(blocks[0]!.items.slice(4, 6)).toEqual([{ id: 4 }, { id: 6 }]);
    const last = removeFromBlocks([makeBlock(3, 350)], new Set([320]));
    expect(last[0]!.items).toHaveLength(49);
  });

  it('returns the same blocks if they have none of the items', () => {
    const blocks = [makeBlock(0, 350)];
    expect(removeFromBlocks(blocks, new Set([200]))).toBe(blocks);
  });
});

describe('useWindow', () => {
  function renderWindow(total: number) {
    const requests: number[] = [];
    const server = { total, removed: 0 };
    const queryClient = createQueryClient();
    const makeQuery =
      (list: string) =>
      (block: number): BlockQuery<Item> => ({
        queryKey: ['get', '/list', { list, block } as { block: number }],
        queryFn: () => {
          requests.push(block);
          return Promise.resolve(makeBlock(block, server.total, server.removed));
        },
      });
    const queries = { name: makeQuery('name'), size: makeQuery('size'), other: makeQuery('other') };
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    );
    const rendered = renderHook(
      ({ list, first, scope }: WindowProps) => useWindow(queries[list], { scope, range: { first, last: first + 20 } }),
      { wrapper, initialProps: { list: 'name', first: 0, scope: 'a' } as WindowProps },
    );
    return { ...rendered, queryClient, requests, server };
  }

  const loadedIds = (items: readonly (Item | undefined)[]) => items.flatMap((item) => item?.id ?? []);

  it('loads the part on the screen of a list of any length and keeps a bounded number of blocks', async () => {
    const { result, rerender, queryClient, requests } = renderWindow(100_000);
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(200));
    expect(result.current.items).toHaveLength(100_000);
    rerender({ list: 'name', first: 99_979, scope: 'a' });
    await waitFor(() => expect(result.current.items.at(-1)).toEqual({ id: 99_999 }));
    expect(requests).toEqual([0, 1, 998, 999]);
    for (let first = 10_000; first < 20_000; first += 1000) {
      rerender({ list: 'name', first, scope: 'a' });
      await waitFor(() => expect(result.current.items[first]).toEqual({ id: first }));
    }
    await waitFor(() => expect(queryClient.getQueryCache().getAll()).toHaveLength(12));
  });

  it('loads blocks again that were loaded before a change of the list that a later one shows', async () => {
    const { result, rerender, requests, server } = renderWindow(1000);
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(200));
    Object.assign(server, { total: 999, removed: 1 });
    rerender({ list: 'name', first: 150, scope: 'a' });
    const idsAfterwards = Array.from({ length: 300 }, (_, index) => index + 1);
    await waitFor(() => expect(loadedIds(result.current.items)).toEqual(idsAfterwards));
    expect(result.current.items).toHaveLength(999);
    expect(requests).toEqual([0, 1, 2, 0, 1]);
  });

  it('loads blocks again that a change has made stale once another one is shown', async () => {
    const { result, rerender, queryClient, requests, server } = renderWindow(1000);
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(200));
    await queryClient.invalidateQueries({ queryKey: ['get', '/list'], refetchType: 'none' });
    // The first item was renamed, so that it is now the last one.
    Object.assign(server, { removed: 1 });
    rerender({ list: 'name', first: 20, scope: 'a' });
    expect(requests).toEqual([0, 1]);
    rerender({ list: 'name', first: 150, scope: 'a' });
    const idsAfterwards = Array.from({ length: 300 }, (_, index) => index + 1);
    await waitFor(() => expect(loadedIds(result.current.items)).toEqual(idsAfterwards));
    expect(requests).toEqual([0, 1, 2, 0, 1]);
  });

  it('forgets stale blocks that leave the screen', async () => {
    const { result, rerender, queryClient } = renderWindow(1000);
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(200));
    await queryClient.invalidateQueries({ queryKey: ['get', '/list'], refetchType: 'none' });
    rerender({ list: 'name', first: 650, scope: 'a' });
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(300));
    expect(queryClient.getQueryCache().getAll()).toHaveLength(3);
  });

  it('keeps the items while another order of the same list is loading, and drops those of another list', async () => {
    const { result, rerender } = renderWindow(150);
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(150));
    rerender({ list: 'size', first: 0, scope: 'a' });
    expect(loadedIds(result.current.items)).toHaveLength(150);
    rerender({ list: 'other', first: 0, scope: 'b' });
    expect(result.current).toMatchObject({ items: [], isLoaded: false });
    await waitFor(() => expect(loadedIds(result.current.items)).toHaveLength(150));
  });
});

describe('useShownRange', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('follows scrolling by blocks, and waits for the end of a jump', () => {
    const { result, rerender } = renderHook(({ scope }) => useShownRange(scope), { initialProps: { scope: 'a' } });
    const show = (first: number) => act(() => result.current[1]({ first, last: first + 20 }));
    const shown = () => result.current[0];
    show(90);
    expect(shown()).toMatchObject({ first: 0, last: 199 });
    const before = shown();
    show(95);
    expect(shown()).toBe(before);
    show(150);
    expect(shown()).toMatchObject({ first: 100, last: 199 });
    for (const first of [2000, 5000, 9000]) show(first);
    expect(shown()).toMatchObject({ first: 100, last: 199 });
    act(() => jest.advanceTimersByTime(100));
    expect(shown()).toMatchObject({ first: 9000, last: 9099 });
    rerender({ scope: 'b' });
    expect(shown()).toEqual({ first: 0, last: 0 });
  });
});
