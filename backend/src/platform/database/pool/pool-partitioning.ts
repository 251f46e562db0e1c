import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

/**
 * The connections of a process by what they are for, each lane with places that no other takes:
 * whether this process can serve, heartbeats, ways in and out, and everything else.
 */
const PARTITION_SIZES = { health: 2, beats: 2, entry: 6, common: 16 } as const;
type PoolPartition = keyof typeof PARTITION_SIZES;

/** How many connections a process takes at most. */
export const POOL_SIZE = Object.values(PARTITION_SIZES).reduce((sum, places) => sum + places, 0);
/**
 * Of a lane, those that go to one at a time: writes into the zones of one owner, ways in of one person. A lock there must
 * not stop everybody.
 */
const MAX_CONNECTIONS_PER_TENANT: Record<PoolPartition, number> = {
  health: Infinity,
  beats: Infinity,
  entry: 2,
  common: PARTITION_SIZES.common / 2,
};
/** How long a place is waited for, in milliseconds. */
const ACQUIRE_TIMEOUT = 5000;

/** Nobody gave a connection back in time. */
export class PoolTimeoutError extends Error {
  readonly code = 'NO_PLACE';
  constructor() {
    super(`No connection to the database became free within ${ACQUIRE_TIMEOUT} ms.`);
  }
}

/** For what a connection is taken, and on whose account. */
interface PoolUsageContext {
  readonly partition: PoolPartition;
  tenant: string | null;
}

interface QueuedAcquire extends PoolUsageContext {
  readonly resume: () => void;
}

const usageContext = new AsyncLocalStorage<PoolUsageContext>();

/** Does work whose connections have the places of a lane; `setPoolTenantOwner` and `setPoolTenantPerson` may tell later on whose account. */
export function runInPoolPartition<T>(lane: PoolPartition, work: () => T): T {
  return usageContext.run({ partition: lane, tenant: null }, work);
}

/** Says that what is under way writes into zones of this owner, who has at most half of the common places for that. */
export function setPoolTenantOwner(ownerId: number): void {
  setPoolTenant('common', `owner ${ownerId}`);
}

/**
 * Says that what is under way locks the row of this person, who has at most two of the places for ways in: before a
 * transaction takes its connection. A person known by both id and address may come to four, of six.
 */
export function setPoolTenantPerson(person: number | string): void {
  setPoolTenant('entry', `person ${person}`);
}

function setPoolTenant(partition: PoolPartition, tenant: string): void {
  const context = usageContext.getStore();
  if (context?.partition === partition) context.tenant = tenant;
}

/** Who holds how many places of one pool. */
class PoolSlots {
  private readonly usedByPartition: Record<PoolPartition, number> = { health: 0, beats: 0, entry: 0, common: 0 };
  private readonly usedByTenant = new Map<string, number>();
  private readonly waitQueue: QueuedAcquire[] = [];

  get waitingCount(): number {
    return this.waitQueue.length;
  }

  /**
   * Waits for a place.
   * @returns gives it back; called once
   * @throws PoolTimeoutError after five seconds
   */
  async acquire({ partition, tenant }: PoolUsageContext): Promise<() => void> {
    const context = { partition, tenant };
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

const DEFAULT_CONTEXT: PoolUsageContext = { partition: 'common', tenant: null };

/** Divides the connections of a pool among purposes. @returns how many wait for a place */
export function partitionPool(pool: Pool): () => number {
  const slots = new PoolSlots();
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const acquirePartitioned = async (): Promise<PoolClient> => {
    const releaseSlot = await slots.acquire(usageContext.getStore() ?? DEFAULT_CONTEXT);
    try {
      const client = await connect();
      const release = client.release.bind(client);
      let isHeld = true;
      client.release = (error?: Error | boolean) => {
        if (isHeld) releaseSlot();
        isHeld = false;
        release(error);
      };
      return client;
    } catch (error) {
      releaseSlot();
      throw error;
    }
  };
  pool.connect = acquirePartitioned as Pool['connect'];
  return () => slots.waitingCount;
}
