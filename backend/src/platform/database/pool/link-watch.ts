import { statementLimit } from './long-statements.js';
import { timeLimits } from './time-limits.js';
import pg, { type Pool, type PoolClient } from 'pg';

/** How often connections are looked at, in milliseconds. */
const LOOK = 1000;

/** What the driver knows of a connection beside its public face. */
type Link = PoolClient & {
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(error: Error): void } };
};

interface Running {
  readonly link: Link;
  since: number | null;
  /** How long its statement may take. */
  limit: number;
}

/** The link went silent: nothing came back, and the server knows nothing of what it was given. */
class SilentLinkError extends Error {
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
export function watchLinks(pool: Pool): void {
  const all = new Map<PoolClient, Running>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    await endSilent([...all.values()], pool).finally(() => (isLooking = false));
  };
  pool.on('connect', (client) => {
    const running: Running = { link: client as Link, since: null, limit: timeLimits.statement };
    all.set(client, running);
    timer ??= setInterval(() => void look(), LOOK).unref();
    client.once('end', () => {
      all.delete(client);
      if (all.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
    noteStatements(client, running);
  });
}

function noteStatements(client: PoolClient, running: Running): void {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]) => {
    const answer = plain(...args);
    if (!(answer instanceof Promise)) return answer;
    const since = (running.since = performance.now());
    running.limit = statementLimit();
    const ended = () => {
      if (running.since === since) running.since = null;
    };
    answer.then(ended, ended);
    return answer;
  };
  client.query = query as typeof client.query;
}

const silentFor = ({ since }: Running) => (since === null ? 0 : performance.now() - since);

async function endSilent(all: readonly Running[], pool: Pool): Promise<void> {
  const suspects = all.flatMap((running) =>
    silentFor(running) > timeLimits.suspicious ? [{ running, since: running.since }] : [],
  );
  if (suspects.length === 0) return;
  const working = await workingOn(
    suspects.map(({ running }) => running.link.processID ?? 0),
    pool,
  );
  for (const { running, since } of suspects) {
    // Its answer has come meanwhile.
    if (running.since !== since) continue;
    const isGone =
      working === 'unknown'
        ? silentFor(running) > running.limit + timeLimits.overdue
        : !working.has(running.link.processID ?? 0);
    if (isGone) running.link.connection.stream.destroy(new SilentLinkError());
  }
}

/** Those of the sessions that the server works for; `unknown` when it takes no question, and behind a pooler, whose sessions are not its own. */
async function workingOn(sessions: readonly number[], pool: Pool): Promise<Set<number> | 'unknown'> {
  const limit = timeLimits.connect;
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
    return self === (client as unknown as Link).processID ? new Set(rows.map(({ pid }) => pid)) : 'unknown';
  } catch (error) {
    // Nobody answers a new connection either: what is silent has nobody to hear it.
    return isRefusal(error) ? 'unknown' : new Set();
  } finally {
    (client as unknown as Link).connection.stream.destroy(new Error('Asked and answered.'));
  }
}

/**
 * True when the server lives and lets nobody more in: it has too many connections, or another password. One that is just
 * starting (57P03) has none of the sessions of before.
 */
function isRefusal(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(?!57P0)\d[\dA-Z]{4}$/.test(code);
}

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
