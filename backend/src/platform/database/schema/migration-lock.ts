import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { migrationTimeouts, timeouts } from '../pool/timeouts.js';

/** Only one process migrates at a time; the others wait here and then find nothing to do. */
export const MIGRATION_LOCK = 7_206_642;
/** How often who waits asks whether it is their turn, in milliseconds. */
const POLL_INTERVAL = 200;
/** How long the server may take to answer who asks, or says that it is still there, in milliseconds. */
const QUERY_TIMEOUT = 10_000;

interface MigrationLockOptions {
  /** Called once, and awaited, when somebody else has the turn. */
  readonly onWait?: (() => Promise<void>) | undefined;
  /** After this silence of who has the turn the server gives it to others, in milliseconds. */
  readonly idleTimeout?: number;
  /** How often who has the turn says that it is still there, in milliseconds. */
  readonly heartbeatInterval?: number;
}

/**
 * Does something while no other process does it. Who waits asks again and again and holds nothing meanwhile: a statement
 * that waited for the lock would keep `create index concurrently`, which waits for every older statement, from ending.
 *
 * The lock is that of a transaction: behind a pooler a session goes on after who had it, and would keep the turn for ever.
 * The server ends the transaction of who says nothing any more, also when their machine is gone without a word.
 */
export async function withMigrationLock<T>(
  connection: DatabaseConnection,
  work: () => Promise<T>,
  { onWait, idleTimeout = timeouts.idleInTransaction, heartbeatInterval = idleTimeout / 4 }: MigrationLockOptions = {},
): Promise<T> {
  const limits = { ...migrationTimeouts, query_timeout: QUERY_TIMEOUT };
  const client = new pg.Client({ ...connection, ...limits } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let first = true; !(await tryAcquireLock(client, idleTimeout)); first = false) {
      if (first) await onWait?.();
      await setTimeout(POLL_INTERVAL);
    }
    return await holdLock(client, { idleTimeout, heartbeatInterval }, work);
  } finally {
    // A server that says nothing does not say goodbye either.
    void client.end().catch(() => undefined);
  }
}

async function tryAcquireLock(client: pg.Client, idleTimeout: number): Promise<boolean> {
  await client.query('begin');
  await sendHeartbeat(client, idleTimeout);
  // Without parameters: the portal of a statement that has some keeps its snapshot after its end, as long as the
  // transaction does nothing else, and `create index concurrently` would wait for it.
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`,
  );
  const { taken } = rows[0]!;
  if (!taken) await client.query('rollback');
  return taken;
}

/** `set` reads nothing: a statement that does, at the wrong moment, is waited for by `create index concurrently`. */
async function sendHeartbeat(client: pg.Client, idleTimeout: number): Promise<void> {
  await client.query(`set local idle_in_transaction_session_timeout = ${idleTimeout}`);
}

async function holdLock<T>(
  client: pg.Client,
  { idleTimeout, heartbeatInterval }: Required<Pick<MigrationLockOptions, 'idleTimeout' | 'heartbeatInterval'>>,
  work: () => Promise<T>,
): Promise<T> {
  // Where the link is gone the turn is too; what is being migrated is undone by the server or ends as it should.
  const timer = setInterval(() => void sendHeartbeat(client, idleTimeout).catch(() => undefined), heartbeatInterval);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await client.query('commit').catch(() => undefined);
  }
}
