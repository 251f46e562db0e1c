/** Rows of any number, one after the other. */
export type Rows = AsyncIterable<object>;

const BATCH = 500;

/**
 * Reads rows in batches, so that memory does not grow with their number.
 * @param fetch the next rows, up to `limit`, after the given one; null asks for the first
 */
export async function* inBatches<T extends object>(
  fetch: (last: T | null, limit: number) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let last: T | null = null, full = true; full;) {
    const rows: T[] = await fetch(last, BATCH);
    yield* rows;
    last = rows.at(-1) ?? null;
    full = rows.length === BATCH;
  }
}
