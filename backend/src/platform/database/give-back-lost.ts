import type { Pool, PoolClient } from 'pg';

/** How long those who hold a lost connection have to give it back themselves, in milliseconds. */
const GRACE = 500;

/**
 * Takes connections back that were lost while a transaction held them. Kysely gives a connection back with the end of its
 * transaction, and a transaction without a connection never ends: each would take a place in the pool for ever, and after
 * some restarts of PostgreSQL nobody would get a connection any more.
 */
export function giveBackLost(pool: Pool): void {
  const handedOut = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => handedOut.add(client));
  pool.on('release', (_error, client) => handedOut.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      setTimeout(() => {
        if (handedOut.has(client)) client.release(true);
      }, GRACE).unref();
    });
  });
}
