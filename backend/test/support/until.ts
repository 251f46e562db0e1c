/** Waits until something holds; fails with `what` when it does not in time. */
export async function until(what: string, holds: () => Promise<boolean> | boolean, limit = 20_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Still not so after ${limit} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
