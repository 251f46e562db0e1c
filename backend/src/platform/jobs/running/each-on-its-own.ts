/**
 * Does the same for one thing after the other; one that fails keeps none of those behind it from their turn.
 * @param signal aborted when the worker stops: the rest is left then
 * @throws AggregateError of what failed, after all have had their turn, so that the job is tried again and seen
 */
export async function eachOnItsOwn<T>(
  things: Iterable<T>,
  work: (thing: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const thing of things) {
    signal?.throwIfAborted();
    try {
      await work(thing);
    } catch (error) {
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
