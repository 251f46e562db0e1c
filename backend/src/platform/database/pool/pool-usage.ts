import type { Pool } from 'pg';

/** Pools, and how many wait for a place in each. */
const pools = new Map<Pool, () => number>();

/** Counts a pool of this process among those that `getPoolUsage` tells of. */
export function registerPool(pool: Pool, waiting: () => number): void {
  pools.set(pool, waiting);
}

/** Connections in use and idle, and requests that wait for one, over all pools of this process that are open. */
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
