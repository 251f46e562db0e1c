import { Logger } from '@nestjs/common';

const logger = new Logger('Jobs');

/**
 * Runs `work` for each item in turn; a failure doesn't prevent the items after it.
 * @param signal aborted when the worker stops; the remaining items are skipped
 * @param idOf what to log about a failed item beside its error: ids, no personal data
 * @throws AggregateError of all failures at the end, so that the job is retried and the failure is visible
 */
export async function forEachIsolated<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (thing: T) => Promise<unknown>,
  signal?: AbortSignal,
  idOf?: (thing: T) => object,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    signal?.throwIfAborted();
    try {
      await work(item);
    } catch (error) {
      if (idOf) logger.error({ ...idOf(item), err: error }, 'Job failed for one item; continuing with the others.');
      failures.push(error);
    }
  }
  if (failures.length === 0) return;
  const [first] = failures;
  throw new AggregateError(
    failures,
    `${failures.length} failed, the first: ${first instanceof Error ? first.message : String(first)}`,
  );
}
