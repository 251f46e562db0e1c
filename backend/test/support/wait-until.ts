/**
 * Waits until something holds; fails with `what` when it does not in time. The limit is long because it only says what was
 * waited for: on a busy machine that takes many times as long.
 */
export async function waitUntil(
  description: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 100_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Still not so after ${timeoutMs} ms: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
