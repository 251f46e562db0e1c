import type { Pool, PoolClient } from 'pg';

/** The server became read-only: after a failover a connection that stands leads to the one that was the primary. */
const READ_ONLY_CODE = '25006';
/** The server ends this session, or all of them, or takes none yet. */
const SESSION_TERMINATED_CODES = /^57P0[1-3]$/;

/**
 * Throws connections away that are of no use any more although they stand: after "read-only" all that stood then, after
 * "this session ends" the one that said so. Whoever comes next gets a new one, which leads to where writes are taken.
 */
export function discardReadOnlyConnections(pool: Pool): void {
  const open = new Set<PoolClient>();
  const stale = new WeakSet<PoolClient>();
  pool.on('connect', (client: PoolClient) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    const originalQuery = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]) => {
      const result = originalQuery(...args);
      if (result instanceof Promise) result.catch((error: { code?: unknown }) => markStale(client, error.code));
      return result;
    };
    client.query = query as typeof client.query;
  });
  const markStale = (client: PoolClient, code: unknown) => {
    // One that was opened after the failover may be the first to tell of it: then all others are older or the same.
    if (code === READ_ONLY_CODE) for (const one of open) stale.add(one);
    else if (typeof code === 'string' && SESSION_TERMINATED_CODES.test(code)) stale.add(client);
  };
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connectFresh = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await connect();
      if (!stale.has(client)) return releaseWhenStale(client, stale);
      client.release(true);
    }
  };
  pool.connect = connectFresh as Pool['connect'];
}

function releaseWhenStale(client: PoolClient, stale: WeakSet<PoolClient>): PoolClient {
  const release = client.release.bind(client);
  client.release = (error?: Error | boolean) => release(error ?? stale.has(client));
  return client;
}
