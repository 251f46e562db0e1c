import type { ClientConfig } from 'pg';

/** How long the database may take, in milliseconds. docs/operations/reliability.md has the same table. */
export const timeouts = {
  /** Until a connection stands. */
  connect: 5000,
  /** Waiting for a lock that another transaction holds. */
  lock: 5000,
  /** One statement; jobs may declare more (`statementLimit` of `defineJob`). */
  statement: 30_000,
  /** A transaction in which nothing happens. */
  idleInTransaction: 60_000,
  /** Silence of a connection after which it is asked whether the server still works on what it was given. */
  livenessProbeAfter: 5000,
  /** Silence beyond the longest statement after which a connection is given up where nobody can be asked, behind a pooler. */
  assumeDeadAfter: 5000,
} as const;

/** The limits as the driver hands them to the server when a connection begins. */
export const connectionTimeouts = {
  connectionTimeoutMillis: timeouts.connect,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  lock_timeout: timeouts.lock,
  statement_timeout: timeouts.statement,
  idle_in_transaction_session_timeout: timeouts.idleInTransaction,
} satisfies ClientConfig;

/**
 * For migrations, which build indexes over whole tables: half an hour a statement. Locks are waited for no longer than
 * elsewhere: behind a statement that waits for a whole table wait all who only want to read it.
 */
export const migrationTimeouts = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: 1_800_000,
  lock_timeout: timeouts.lock,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;
