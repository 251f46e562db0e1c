/** Rows of a long list that are requested together. */
export const BLOCK_SIZE = 100;

/** The rows of a list from `number * BLOCK_SIZE` on. */
export interface Block<T> {
  readonly number: number;
  readonly items: readonly T[];
  /** Rows in the whole list. */
  readonly total: number;
}

/** The request for a block. The third part of its key is the list, with the number of the block. */
export interface BlockQuery<T> {
  readonly queryKey: readonly [string, string, { readonly block: number }];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Block<T>>;
  readonly staleTime?: number;
  readonly gcTime?: number;
}

/** The part of a list that is on the screen. */
export interface ItemRange {
  readonly first: number;
  /** Included. */
  readonly last: number;
  /** An item elsewhere that stays rendered, such as the focused one. */
  readonly pinned?: number;
}

/** Returns the numbers of the blocks to load: those of the range with one on each side, and that of the pinned item. */
export function blocksOf({ first, last, pinned = -1 }: ItemRange, total: number): number[] {
  const lastBlock = Math.max(0, Math.ceil(total / BLOCK_SIZE) - 1);
  const from = Math.min(lastBlock, Math.max(0, blockOf(first) - 1));
  const to = Math.max(from, Math.min(lastBlock, blockOf(last) + 1));
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const isOutside = pinned >= 0 && pinned < total && !numbers.includes(blockOf(pinned));
  return isOutside ? [...numbers, blockOf(pinned)] : numbers;
}

export const blockOf = (index: number) => Math.floor(index / BLOCK_SIZE);

/**
 * Returns the items of a list by position; undefined where no block is given. If the list changed between two requests, an
 * item may be in both blocks: its position is that in the later one.
 * @param blocks in the order in which they were loaded
 */
export function fromBlocks<T extends { id: number }>(blocks: readonly Block<T>[], total: number): (T | undefined)[] {
  const items = Array.from<T | undefined>({ length: total });
  const positions = new Map<number, number>();
  for (const block of blocks)
    for (const [index, item] of block.items.entries()) {
      const position = block.number * BLOCK_SIZE + index;
      const earlierPosition = positions.get(item.id);
      if (earlierPosition !== undefined) items[earlierPosition] = undefined;
      if (position >= total) continue;
      items[position] = item;
      positions.set(item.id, position);
    }
  return items;
}

/**
 * Removes items from the blocks of a list; the items after them move up. A block that can't be filled from the next one is
 * shorter afterwards.
 */
export function removeFromBlocks<T extends { id: number }>(
  blocks: readonly Block<T>[],
  ids: ReadonlySet<number>,
): readonly Block<T>[] {
  const total = Math.max(0, ...blocks.map((block) => block.total));
  const items = fromBlocks(blocks, total).filter((item) => item === undefined || !ids.has(item.id));
  if (items.length === total) return blocks;
  return blocks.map(({ number }) => {
    const slice = items.slice(number * BLOCK_SIZE, (number + 1) * BLOCK_SIZE);
    const firstGap = slice.indexOf(undefined);
    const known = (firstGap < 0 ? slice : slice.slice(0, firstGap)) as T[];
    return { number, items: known, total: items.length };
  });
}
