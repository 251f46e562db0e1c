import type { Pool } from 'pg';

const pools = new Set<Pool>();

/** Counts a pool of this process among those that `poolUsage` tells of. */
export function watchPool(pool: Pool): void {
  pools.add(pool);
}

/** Connections in use and idle, and requests that wait for one, over all pools of this process that are open. */
export function poolUsage(): { used: number; idle: number; waiting: number } {
  const usage = { used: 0, idle: 0, waiting: 0 };
  for (const pool of pools) {
    if (pool.ended) {
      pools.delete(pool);
      continue;
    }
    usage.used += pool.totalCount - pool.idleCount;
    usage.idle += pool.idleCount;
    usage.waiting += pool.waitingCount;
  }
  return usage;
}
