import type { Pool, PoolClient } from 'pg';

/** The server is read-only: after a failover, an existing connection still leads to the former primary. */
const READ_ONLY_CODE = '25006';
/** The server terminates this session or all sessions, or is starting. */
const SESSION_TERMINATED_CODES = /^57P0[1-3]$/;

/**
 * Discards connections that are open but useless: after a "read-only" error all connections open at that time, and
 * after "session terminated" the one that reported it. The next caller gets a new connection, which leads to the
 * current primary.
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
    // This connection may have been opened after the failover and still be the first to report it. In that case all
    // others are older or have the same problem.
    if (code === READ_ONLY_CODE) for (const openClient of open) stale.add(openClient);
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
