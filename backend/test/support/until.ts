/**
 * Waits until something holds; fails with `what` when it does not in time. The limit is long because it only says what was
 * waited for: on a busy machine that takes many times as long.
 */
export async function until(what: string, holds: () => Promise<boolean> | boolean, limit = 100_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Still not so after ${limit} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
