import { Logger } from '@nestjs/common';

const logger = new Logger('Jobs');

/**
 * Does the same for one thing after the other; one that fails keeps none of those behind it from their turn.
 * @param signal aborted when the worker stops: the rest is left then
 * @param idOf what the log tells of a thing that failed, with its error: ids, nothing of persons
 * @throws AggregateError of what failed, after all have had their turn, so that the job is tried again and seen
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
      if (idOf) logger.error({ ...idOf(item), err: error }, 'A job failed for one thing, and goes on with the others.');
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
