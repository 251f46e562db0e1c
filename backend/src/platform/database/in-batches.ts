/** Rows of any number, one after the other. */
export type RowStream = AsyncIterable<object>;

const BATCH_SIZE = 500;

/**
 * Reads rows in batches, so that memory does not grow with their number.
 * @param fetch the next rows, up to `limit`, after the given one; null asks for the first
 */
export async function* readInBatches<T extends object>(
  fetch: (last: T | null, limit: number) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let last: T | null = null, hasMore = true; hasMore;) {
    const rows: T[] = await fetch(last, BATCH_SIZE);
    yield* rows;
    last = rows.at(-1) ?? null;
    hasMore = rows.length === BATCH_SIZE;
  }
}
