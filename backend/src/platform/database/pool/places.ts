import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

/** Places for health, signing in and heartbeats, which nothing else takes: connections that one process keeps for them. */
export const VITAL_PLACES = 4;
/** Places for everything else. */
export const COMMON_PLACES = 20;
/** Of these, those that writes into the zones of one owner take at most: a lock there must not stop everybody. */
export const OWNER_PLACES = COMMON_PLACES / 2;
/** How long a place is waited for, in milliseconds. */
const PATIENCE = 5000;

/** Nobody gave a connection back in time. */
export class NoPlaceError extends Error {
  readonly code = 'NO_PLACE';
  constructor() {
    super(`No connection to the database became free within ${PATIENCE} ms.`);
  }
}

/** For whom a connection is taken. */
interface Purpose {
  readonly isVital: boolean;
  ownerId: number | null;
}

interface Waiting extends Purpose {
  readonly go: () => void;
}

const purposes = new AsyncLocalStorage<Purpose>();

/** Does what must work while everything else waits: its connections have places of their own. */
export function vitally<T>(work: () => T): T {
  return purposes.run({ isVital: true, ownerId: null }, work);
}

/** Does ordinary work, of which `chargeOwner` may tell later whose it is. */
export function commonly<T>(work: () => T): T {
  return purposes.run({ isVital: false, ownerId: null }, work);
}

/** Says that what is under way writes into zones of this owner, who has at most half of the common places for that. */
export function chargeOwner(ownerId: number): void {
  const purpose = purposes.getStore();
  if (purpose) purpose.ownerId = ownerId;
}

/** Who holds how many places of one pool. */
class Places {
  private vital = 0;
  private common = 0;
  private readonly owners = new Map<number, number>();
  private readonly queue: Waiting[] = [];

  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Waits for a place.
   * @returns gives it back; called once
   * @throws NoPlaceError after five seconds
   */
  async acquire({ isVital, ownerId }: Purpose): Promise<() => void> {
    const purpose = { isVital, ownerId };
    if (!this.fits(purpose)) await this.wait(purpose);
    else this.count(purpose, 1);
    return () => this.release(purpose);
  }

  private wait(purpose: Purpose): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { ...purpose, go: resolve };
      this.queue.push(waiting);
      const timer = setTimeout(() => {
        this.queue.splice(this.queue.indexOf(waiting), 1);
        reject(new NoPlaceError());
      }, PATIENCE);
      waiting.go = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private release(purpose: Purpose): void {
    this.count(purpose, -1);
    for (const waiting of [...this.queue]) {
      if (!this.fits(waiting)) continue;
      this.queue.splice(this.queue.indexOf(waiting), 1);
      this.count(waiting, 1);
      waiting.go();
    }
  }

  private fits({ isVital, ownerId }: Purpose): boolean {
    if (isVital) return this.vital < VITAL_PLACES;
    if (this.common >= COMMON_PLACES) return false;
    return ownerId === null || (this.owners.get(ownerId) ?? 0) < OWNER_PLACES;
  }

  private count({ isVital, ownerId }: Purpose, by: 1 | -1): void {
    if (isVital) this.vital += by;
    else this.common += by;
    if (ownerId === null) return;
    const count = (this.owners.get(ownerId) ?? 0) + by;
    if (count === 0) this.owners.delete(ownerId);
    else this.owners.set(ownerId, count);
  }
}

const COMMON: Purpose = { isVital: false, ownerId: null };

/** Divides the connections of a pool among purposes. @returns how many wait for a place */
export function dividePlaces(pool: Pool): () => number {
  const places = new Places();
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const placed = async (): Promise<PoolClient> => {
    const giveBack = await places.acquire(purposes.getStore() ?? COMMON);
    try {
      const client = await connect();
      const release = client.release.bind(client);
      let isHeld = true;
      client.release = (error?: Error | boolean) => {
        if (isHeld) giveBack();
        isHeld = false;
        release(error);
      };
      return client;
    } catch (error) {
      giveBack();
      throw error;
    }
  };
  pool.connect = placed as Pool['connect'];
  return () => places.waiting;
}
