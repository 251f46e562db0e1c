/**
 * Waits until the condition holds; fails with `description` on timeout. The timeout is long, because it only serves the
 * message, and a busy machine takes many times as long.
 */
export async function waitUntil(
  description: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 100_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not fulfilled after ${timeoutMs} ms: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
