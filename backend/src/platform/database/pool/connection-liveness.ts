import { statementLimit } from './statement-limit.js';
import { timeouts } from './timeouts.js';
import pg, { type Pool, type PoolClient } from 'pg';

/** How often connections are checked, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** Fields of the driver's connection that are not public API. */
type DriverClient = PoolClient & {
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(error: Error): void } };
};

interface TrackedConnection {
  readonly client: DriverClient;
  since: number | null;
  /** Limit of the current statement, in milliseconds. */
  statementLimit: number;
}

/** Nothing arrives on the connection, and the server isn't working on its statement. */
class DeadConnectionError extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The connection to the database went silent and was given up.');
  }
}

/**
 * Closes dead connections. A TCP connection that was cut silently (by a firewall, a failover or a host failure) raises
 * no event for many minutes. When a connection has been silent for five seconds, the server is asked about it over a
 * new connection. It is kept if the server is working on its statement or the statement is waiting for a lock.
 * Otherwise, or if the server doesn't answer, the connection is closed and its statement fails like with any lost
 * connection.
 */
export function watchConnectionLiveness(pool: Pool): void {
  const connections = new Map<PoolClient, TrackedConnection>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    await closeDeadConnections([...connections.values()], pool).finally(() => (isChecking = false));
  };
  pool.on('connect', (client) => {
    const tracked: TrackedConnection = {
      client: client as DriverClient,
      since: null,
      statementLimit: timeouts.statement,
    };
    connections.set(client, tracked);
    timer ??= setInterval(() => void check(), CHECK_INTERVAL).unref();
    client.once('end', () => {
      connections.delete(client);
      if (connections.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
    trackStatements(client, tracked);
  });
}

function trackStatements(client: PoolClient, tracked: TrackedConnection): void {
  const originalQuery = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]) => {
    const result = originalQuery(...args);
    if (!(result instanceof Promise)) return result;
    const since = (tracked.since = performance.now());
    tracked.statementLimit = statementLimit();
    const ended = () => {
      if (tracked.since === since) tracked.since = null;
    };
    result.then(ended, ended);
    return result;
  };
  client.query = query as typeof client.query;
}

const idleMilliseconds = ({ since }: TrackedConnection) => (since === null ? 0 : performance.now() - since);

async function closeDeadConnections(connections: readonly TrackedConnection[], pool: Pool): Promise<void> {
  const suspects = connections.flatMap((running) =>
    idleMilliseconds(running) > timeouts.livenessProbeAfter ? [{ running, since: running.since }] : [],
  );
  if (suspects.length === 0) return;
  const working = await findActiveSessions(
    suspects.map(({ running }) => running.client.processID ?? 0),
    pool,
  );
  for (const { running, since } of suspects) {
    // A response has arrived in the meantime.
    if (running.since !== since) continue;
    const isGone =
      working === 'unknown'
        ? idleMilliseconds(running) > running.statementLimit + timeouts.assumeDeadAfter
        : !working.has(running.client.processID ?? 0);
    if (isGone) running.client.connection.stream.destroy(new DeadConnectionError());
  }
}

/**
 * Returns those sessions that are active on the server. `unknown` if the server rejects the query, or behind a
 * connection pooler, whose session ids are not the server's.
 */
async function findActiveSessions(sessions: readonly number[], pool: Pool): Promise<Set<number> | 'unknown'> {
  const limit = timeouts.connect;
  const client = new pg.Client({
    ...pool.options,
    connectionTimeoutMillis: limit,
    query_timeout: limit,
  } as pg.ClientConfig);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; isSelf: boolean }>(
      `select pid, pid = pg_backend_pid() as "isSelf" from pg_stat_activity
       where pid = pg_backend_pid() or (pid = any($1::int[]) and state in ('active', 'fastpath function call', 'disabled'))`,
      [sessions],
    );
    const self = rows.find(({ isSelf }) => isSelf)?.pid;
    return self === (client as unknown as DriverClient).processID ? new Set(rows.map(({ pid }) => pid)) : 'unknown';
  } catch (error) {
    // A new connection gets no response either, so the silent ones are dead.
    return isConnectionRejectedByServer(error) ? 'unknown' : new Set();
  } finally {
    (client as unknown as DriverClient).connection.stream.destroy(new Error('Asked and answered.'));
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

/** How long the holder of a lost connection has to release it, in milliseconds. */
const RELEASE_GRACE = 500;

/**
 * Releases connections that were lost during a transaction. Kysely releases a connection when its transaction ends, but
 * a transaction without a connection never ends. Each would occupy a pool slot forever, and after a few restarts of
 * PostgreSQL the pool would be exhausted.
 */
export function releaseLostConnections(pool: Pool): void {
  const acquired = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => acquired.add(client));
  pool.on('release', (_error, client) => acquired.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      setTimeout(() => {
        if (acquired.has(client)) client.release(true);
      }, RELEASE_GRACE).unref();
    });
  });
}
