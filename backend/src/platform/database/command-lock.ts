import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from './pool/database-connection.js';
import { migrationTimeouts, timeouts } from './pool/timeouts.js';

/** How often a waiting process tries to get the lock, in milliseconds. */
const POLL_INTERVAL = 200;
/** Limit for a response of the server, in milliseconds; used for acquiring the lock and for heartbeats. */
const QUERY_TIMEOUT = 10_000;

export interface CommandLockOptions {
  /** Called once, and awaited, when another process holds the lock. */
  readonly onWait?: (() => Promise<void>) | undefined;
  /** How long the holder may send no heartbeat before the server releases its lock, in milliseconds. */
  readonly idleTimeout?: number;
  /** How often the holder sends a heartbeat, in milliseconds. */
  readonly heartbeatInterval?: number;
}

/**
 * Runs `work` while no other process runs it. Waiting processes poll and hold nothing meanwhile: a statement blocked on
 * the lock would prevent `create index concurrently` from finishing, because that waits for all older statements.
 *
 * The lock belongs to a transaction, not a session: behind a connection pooler, a session outlives its client and would
 * hold the lock forever. The server ends the transaction when heartbeats stop, even if the host has disappeared.
 */
export async function withCommandLock<T>(
  connection: DatabaseConnection,
  lock: number,
  work: () => Promise<T>,
  { onWait, idleTimeout = timeouts.idleInTransaction, heartbeatInterval = idleTimeout / 4 }: CommandLockOptions = {},
): Promise<T> {
  const limits = { ...migrationTimeouts, query_timeout: QUERY_TIMEOUT };
  const client = new pg.Client({ ...connection, ...limits } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let first = true; !(await tryAcquireLock(client, lock, idleTimeout)); first = false) {
      if (first) await onWait?.();
      await setTimeout(POLL_INTERVAL);
    }
    return await holdLock(client, { idleTimeout, heartbeatInterval }, work);
  } finally {
    // Not awaited: an unresponsive server would not answer this either.
    void client.end().catch(() => undefined);
  }
}

async function tryAcquireLock(client: pg.Client, lock: number, idleTimeout: number): Promise<boolean> {
  await client.query('begin');
  await sendHeartbeat(client, idleTimeout);
  // Sent without parameters: the portal of a parameterised statement keeps its snapshot until the transaction runs
  // another statement, and `create index concurrently` would wait for it.
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${lock}) as taken`);
  const { taken } = rows[0]!;
  if (!taken) await client.query('rollback');
  return taken;
}

/** `set` takes no snapshot. A statement that reads could make `create index concurrently` wait for it. */
async function sendHeartbeat(client: pg.Client, idleTimeout: number): Promise<void> {
  await client.query(`set local idle_in_transaction_session_timeout = ${idleTimeout}`);
}

async function holdLock<T>(
  client: pg.Client,
  { idleTimeout, heartbeatInterval }: Required<Pick<CommandLockOptions, 'idleTimeout' | 'heartbeatInterval'>>,
  work: () => Promise<T>,
): Promise<T> {
  // If the connection is lost, so is the lock: the work must also be safe without it.
  const timer = setInterval(() => void sendHeartbeat(client, idleTimeout).catch(() => undefined), heartbeatInterval);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await client.query('commit').catch(() => undefined);
  }
}
