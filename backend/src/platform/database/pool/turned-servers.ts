import type { Pool, PoolClient } from 'pg';

/** The server became read-only: after a failover a connection that stands leads to the one that was the primary. */
const READ_ONLY = '25006';
/** The server ends this session, or all of them, or takes none yet. */
const ENDING = /^57P0[1-3]$/;

/**
 * Throws connections away that are of no use any more although they stand: after "read-only" all that stood then, after
 * "this session ends" the one that said so. Whoever comes next gets a new one, which leads to where writes are taken.
 */
export function throwAwayTurned(pool: Pool): void {
  const standing = new Set<PoolClient>();
  const turned = new WeakSet<PoolClient>();
  pool.on('connect', (client: PoolClient) => {
    standing.add(client);
    client.once('end', () => standing.delete(client));
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]) => {
      const answer = plain(...args);
      if (answer instanceof Promise) answer.catch((error: { code?: unknown }) => note(client, error.code));
      return answer;
    };
    client.query = query as typeof client.query;
  });
  const note = (client: PoolClient, code: unknown) => {
    // One that was opened after the failover may be the first to tell of it: then all others are older or the same.
    if (code === READ_ONLY) for (const one of standing) turned.add(one);
    else if (typeof code === 'string' && ENDING.test(code)) turned.add(client);
  };
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const usable = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await connect();
      if (!turned.has(client)) return throwingAway(client, turned);
      client.release(true);
    }
  };
  pool.connect = usable as Pool['connect'];
}

function throwingAway(client: PoolClient, turned: WeakSet<PoolClient>): PoolClient {
  const release = client.release.bind(client);
  client.release = (error?: Error | boolean) => release(error ?? turned.has(client));
  return client;
}
