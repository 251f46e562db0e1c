import type { ClientConfig } from 'pg';

/** Database timeouts, in milliseconds. docs/operations/reliability.md has the same table. */
export const timeouts = {
  /** Establishing a connection. */
  connect: 5000,
  /** Waiting for a lock that another transaction holds. */
  lock: 5000,
  /** A single statement; jobs may declare more (`statementLimit` of `defineJob`). */
  statement: 30_000,
  /** An idle transaction. */
  idleInTransaction: 60_000,
  /** Silence of a connection before the server is asked whether it is still working on the statement. */
  livenessProbeAfter: 5000,
  /**
   * Silence beyond the statement limit before a connection is considered dead when the server can't be asked, as behind
   * a connection pooler.
   */
  assumeDeadAfter: 5000,
} as const;

/** The limits in the format of the driver, which sends them to the server when it connects. */
export const connectionTimeouts = {
  connectionTimeoutMillis: timeouts.connect,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  lock_timeout: timeouts.lock,
  statement_timeout: timeouts.statement,
  idle_in_transaction_session_timeout: timeouts.idleInTransaction,
} satisfies ClientConfig;

/**
 * For migrations, which build indexes on large tables: half an hour per statement. The lock timeout stays short,
 * because while a statement waits for a table lock, even reads of that table queue behind it.
 */
export const migrationTimeouts = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: 1_800_000,
  lock_timeout: timeouts.lock,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;
