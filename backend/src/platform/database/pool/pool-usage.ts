import type { Pool } from 'pg';

/** The open pools, each with a function that counts the callers waiting for a connection. */
const pools = new Map<Pool, () => number>();

/** Includes a pool in the figures of `getPoolUsage`. */
export function registerPool(pool: Pool, waiting: () => number): void {
  pools.set(pool, waiting);
}

/** Returns connections in use and idle, and callers waiting for one, over all open pools of this process. */
export function getPoolUsage(): { used: number; idle: number; waiting: number } {
  const usage = { used: 0, idle: 0, waiting: 0 };
  for (const [pool, waiting] of pools) {
    if (pool.ended) {
      pools.delete(pool);
      continue;
    }
    usage.used += pool.totalCount - pool.idleCount;
    usage.idle += pool.idleCount;
    usage.waiting += pool.waitingCount + waiting();
  }
  return usage;
}
