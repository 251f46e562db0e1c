import { statementLimit } from './statement-limit.js';
import { timeouts } from './timeouts.js';
import pg, { type Pool, type PoolClient } from 'pg';

/** How often connections are looked at, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** What the driver knows of a connection beside its public face. */
type DriverClient = PoolClient & {
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(error: Error): void } };
};

interface TrackedConnection {
  readonly client: DriverClient;
  since: number | null;
  /** How long its statement may take. */
  statementLimit: number;
}

/** The link went silent: nothing came back, and the server knows nothing of what it was given. */
class DeadConnectionError extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The connection to the database went silent and was given up.');
  }
}

/**
 * Ends connections from which nothing comes back any more: a link that was cut without a word (a firewall that forgot it,
 * a failover, a host that is gone) is reported by nobody for many minutes. A connection that is silent for five seconds is
 * asked about, over a new one: if the server works on its statement, or it waits there for a lock, it stays; otherwise,
 * or if the server does not answer at all, it is ended, and its statement fails as with any lost connection.
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
    // Its answer has come meanwhile.
    if (running.since !== since) continue;
    const isGone =
      working === 'unknown'
        ? idleMilliseconds(running) > running.statementLimit + timeouts.assumeDeadAfter
        : !working.has(running.client.processID ?? 0);
    if (isGone) running.client.connection.stream.destroy(new DeadConnectionError());
  }
}

/** Those of the sessions that the server works for; `unknown` when it takes no question, and behind a pooler, whose sessions are not its own. */
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
    // Nobody answers a new connection either: what is silent has nobody to hear it.
    return isConnectionRefusedByServer(error) ? 'unknown' : new Set();
  } finally {
    (client as unknown as DriverClient).connection.stream.destroy(new Error('Asked and answered.'));
  }
}

/**
 * True when the server lives and lets nobody more in: it has too many connections, or another password. One that is just
 * starting (57P03) has none of the sessions of before.
 */
function isConnectionRefusedByServer(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(?!57P0)\d[\dA-Z]{4}$/.test(code);
}

/** How long those who hold a lost connection have to give it back themselves, in milliseconds. */
const RELEASE_GRACE = 500;

/**
 * Takes connections back that were lost while a transaction held them. Kysely gives a connection back with the end of its
 * transaction, and a transaction without a connection never ends: each would take a place in the pool for ever, and after
 * some restarts of PostgreSQL nobody would get a connection any more.
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
