import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Connections of a process, partitioned by purpose: health checks, heartbeats, sign-in and sign-out, and everything
 * else. No partition can use the connections of another.
 */
const PARTITION_SIZES = { health: 2, heartbeats: 2, entry: 6, common: 16 } as const;
type PoolPartition = keyof typeof PARTITION_SIZES;

/** Maximum number of connections of a process. */
export const POOL_SIZE = Object.values(PARTITION_SIZES).reduce((sum, size) => sum + size, 0);
/**
 * Maximum connections per tenant in a partition: the owner of the zones written to, or the user who signs in. Otherwise
 * a lock of one tenant could block everybody.
 */
const MAX_CONNECTIONS_PER_TENANT: Record<PoolPartition, number> = {
  health: Infinity,
  heartbeats: Infinity,
  entry: 2,
  common: PARTITION_SIZES.common / 2,
};
/** How long to wait for a free slot, in milliseconds. */
const ACQUIRE_TIMEOUT = 5000;

/** No connection was released in time. */
export class PoolTimeoutError extends Error {
  readonly code = 'POOL_TIMEOUT';
  constructor() {
    super(`No connection to the database became free within ${ACQUIRE_TIMEOUT} ms.`);
  }
}

/** The partition and tenant for which connections are acquired. */
interface PoolUsageContext {
  readonly partition: PoolPartition;
  tenant: string | null;
}

interface QueuedAcquire extends PoolUsageContext {
  readonly resume: () => void;
}

const usageContext = new AsyncLocalStorage<PoolUsageContext>();
const DEFAULT_CONTEXT: PoolUsageContext = { partition: 'common', tenant: null };

/**
 * Runs `work` with connections of a partition. Within it, `setPoolTenantOwner` and `setPoolTenantPerson` can set the
 * tenant.
 */
export function runInPoolPartition<T>(partition: PoolPartition, work: () => T): T {
  return usageContext.run({ partition, tenant: null }, work);
}

/**
 * Declares that the current operation writes to zones of this owner, who may use at most half of the common
 * connections.
 */
export function setPoolTenantOwner(ownerId: number): void {
  setPoolTenant('common', `owner ${ownerId}`);
}

/**
 * Declares that the current operation locks this user's row; a user may use at most two of the sign-in connections.
 * Call it before a transaction acquires its connection. A user known by both id and email address may use up to four,
 * of six.
 */
export function setPoolTenantPerson(person: number | string): void {
  setPoolTenant('entry', `person ${person}`);
}

function setPoolTenant(partition: PoolPartition, tenant: string): void {
  const context = usageContext.getStore();
  if (context?.partition === partition) context.tenant = tenant;
}

/** Counts the used connections of a pool. */
export class PoolSlots {
  private readonly usedByPartition: Record<PoolPartition, number> = { health: 0, heartbeats: 0, entry: 0, common: 0 };
  private readonly usedByTenant = new Map<string, number>();
  private readonly waitQueue: QueuedAcquire[] = [];

  get waitingCount(): number {
    return this.waitQueue.length;
  }

  /**
   * Waits until the partition and tenant of the current operation may use another connection.
   * @returns a function that releases the slot; call it once
   * @throws PoolTimeoutError after five seconds
   */
  async acquire(): Promise<() => void> {
    const context = { ...(usageContext.getStore() ?? DEFAULT_CONTEXT) };
    if (!this.hasFreeSlot(context)) await this.waitForSlot(context);
    else this.adjustCounts(context, 1);
    return () => this.release(context);
  }

  private waitForSlot(context: PoolUsageContext): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { ...context, resume: resolve };
      this.waitQueue.push(waiting);
      const timer = setTimeout(() => {
        this.waitQueue.splice(this.waitQueue.indexOf(waiting), 1);
        reject(new PoolTimeoutError());
      }, ACQUIRE_TIMEOUT);
      waiting.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private release(context: PoolUsageContext): void {
    this.adjustCounts(context, -1);
    for (const waiting of [...this.waitQueue]) {
      if (!this.hasFreeSlot(waiting)) continue;
      this.waitQueue.splice(this.waitQueue.indexOf(waiting), 1);
      this.adjustCounts(waiting, 1);
      waiting.resume();
    }
  }

  private hasFreeSlot({ partition, tenant }: PoolUsageContext): boolean {
    if (this.usedByPartition[partition] >= PARTITION_SIZES[partition]) return false;
    return tenant === null || (this.usedByTenant.get(tenant) ?? 0) < MAX_CONNECTIONS_PER_TENANT[partition];
  }

  private adjustCounts({ partition, tenant }: PoolUsageContext, by: 1 | -1): void {
    this.usedByPartition[partition] += by;
    if (tenant === null) return;
    const count = (this.usedByTenant.get(tenant) ?? 0) + by;
    if (count === 0) this.usedByTenant.delete(tenant);
    else this.usedByTenant.set(tenant, count);
  }
}
