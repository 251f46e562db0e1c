import pg, { type ClientConfig } from 'pg';
import type { PooledConnection } from './pooled-connection.js';
import { timeouts } from './timeouts.js';

/** How often connections are checked, in milliseconds. */
const CHECK_INTERVAL = 1000;

/**
 * Closes dead connections. A TCP connection that was cut silently (by a firewall, a failover or a host failure) raises
 * no event for many minutes. When a connection has been silent for five seconds, the server is asked about it over a
 * new connection. It is kept if the server is working on its statement or the statement is waiting for a lock.
 * Otherwise, or if the server doesn't answer, the connection is closed and its statement fails like with any lost
 * connection.
 * @param connections those of the pool, at any time
 * @param config how to open the new connection
 * @returns a function that ends the checks
 */
export function watchConnectionLiveness(
  connections: ReadonlyMap<unknown, PooledConnection>,
  config: ClientConfig,
): () => void {
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    await closeDeadConnections([...connections.values()], config).finally(() => (isChecking = false));
  };
  const timer = setInterval(() => void check(), CHECK_INTERVAL).unref();
  return () => clearInterval(timer);
}

const silentMilliseconds = ({ sentAt }: PooledConnection) => (sentAt === null ? 0 : performance.now() - sentAt);

async function closeDeadConnections(connections: readonly PooledConnection[], config: ClientConfig): Promise<void> {
  const suspects = connections.flatMap((connection) =>
    silentMilliseconds(connection) > timeouts.livenessProbeAfter ? [{ connection, sentAt: connection.sentAt }] : [],
  );
  if (suspects.length === 0) return;
  const sessions = suspects.map(({ connection }) => connection.processID);
  const working = await findActiveSessions(sessions, config);
  for (const { connection, sentAt } of suspects) {
    // A response has arrived in the meantime.
    if (connection.sentAt !== sentAt) continue;
    const isGone =
      working === 'unknown'
        ? silentMilliseconds(connection) > connection.statementLimit + timeouts.assumeDeadAfter
        : !working.has(connection.processID);
    if (isGone) connection.giveUp();
  }
}

/**
 * Returns those sessions that are active on the server. `unknown` if the server rejects the query, or behind a
 * connection pooler, whose session ids are not the server's.
 */
async function findActiveSessions(sessions: readonly number[], config: ClientConfig): Promise<Set<number> | 'unknown'> {
  const limit = timeouts.connect;
  const client = new pg.Client({ ...config, connectionTimeoutMillis: limit, query_timeout: limit });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; isSelf: boolean }>(
      `select pid, pid = pg_backend_pid() as "isSelf" from pg_stat_activity
       where pid = pg_backend_pid() or (pid = any($1::int[]) and state in ('active', 'fastpath function call', 'disabled'))`,
      [sessions],
    );
    const self = rows.find(({ isSelf }) => isSelf)?.pid;
    const { processID } = client as { processID?: number | null };
    return self === processID ? new Set(rows.map(({ pid }) => pid)) : 'unknown';
  } catch (error) {
    // A new connection gets no response either, so the silent ones are dead.
    return isConnectionRejectedByServer(error) ? 'unknown' : new Set();
  } finally {
    // Not `end()`: it would wait for a server that may have stopped responding.
    client.connection.stream.destroy();
  }
}

/**
 * True when the server runs but refuses new connections: too many connections, or a changed password. A server that is
 * just starting (57P03) has none of the previous sessions.
 */
function isConnectionRejectedByServer(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(?!57P0)\d[\dA-Z]{4}$/.test(code);
}
