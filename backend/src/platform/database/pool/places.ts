import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';

/**
 * The connections of a process by what they are for, each lane with places that no other takes:
 * whether this process can serve, heartbeats, ways in and out, and everything else.
 */
const PLACES = { health: 2, beats: 2, entry: 6, common: 16 } as const;
type Lane = keyof typeof PLACES;

/** How many connections a process takes at most. */
export const ALL_PLACES = Object.values(PLACES).reduce((sum, places) => sum + places, 0);
/**
 * Of a lane, those that go to one at a time: writes into the zones of one owner, ways in of one person. A lock there must
 * not stop everybody.
 */
const SHARES: Record<Lane, number> = { health: Infinity, beats: Infinity, entry: 2, common: PLACES.common / 2 };
/** How long a place is waited for, in milliseconds. */
const PATIENCE = 5000;

/** Nobody gave a connection back in time. */
export class NoPlaceError extends Error {
  readonly code = 'NO_PLACE';
  constructor() {
    super(`No connection to the database became free within ${PATIENCE} ms.`);
  }
}

/** For what a connection is taken, and on whose account. */
interface Purpose {
  readonly lane: Lane;
  account: string | null;
}

interface Waiting extends Purpose {
  readonly go: () => void;
}

const purposes = new AsyncLocalStorage<Purpose>();

/** Does work whose connections have the places of a lane; `chargeOwner` and `chargePerson` may tell later on whose account. */
export function inLane<T>(lane: Lane, work: () => T): T {
  return purposes.run({ lane, account: null }, work);
}

/** Says that what is under way writes into zones of this owner, who has at most half of the common places for that. */
export function chargeOwner(ownerId: number): void {
  charge('common', `owner ${ownerId}`);
}

/**
 * Says that what is under way locks the row of this person, who has at most two of the places for ways in: before a
 * transaction takes its connection. A person known by both id and address may come to four, of six.
 */
export function chargePerson(person: number | string): void {
  charge('entry', `person ${person}`);
}

function charge(lane: Lane, account: string): void {
  const purpose = purposes.getStore();
  if (purpose?.lane === lane) purpose.account = account;
}

/** Who holds how many places of one pool. */
class Places {
  private readonly lanes: Record<Lane, number> = { health: 0, beats: 0, entry: 0, common: 0 };
  private readonly accounts = new Map<string, number>();
  private readonly queue: Waiting[] = [];

  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Waits for a place.
   * @returns gives it back; called once
   * @throws NoPlaceError after five seconds
   */
  async acquire({ lane, account }: Purpose): Promise<() => void> {
    const purpose = { lane, account };
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

  private fits({ lane, account }: Purpose): boolean {
    if (this.lanes[lane] >= PLACES[lane]) return false;
    return account === null || (this.accounts.get(account) ?? 0) < SHARES[lane];
  }

  private count({ lane, account }: Purpose, by: 1 | -1): void {
    this.lanes[lane] += by;
    if (account === null) return;
    const count = (this.accounts.get(account) ?? 0) + by;
    if (count === 0) this.accounts.delete(account);
    else this.accounts.set(account, count);
  }
}

const COMMON: Purpose = { lane: 'common', account: null };

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
