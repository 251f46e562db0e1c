/** A stream of any number of rows. */
export type RowStream = AsyncIterable<object>;

const BATCH_SIZE = 500;

/**
 * Reads rows in batches, so that memory use does not depend on their number.
 * @param fetch returns up to `limit` rows after the given one; null for the first batch
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
