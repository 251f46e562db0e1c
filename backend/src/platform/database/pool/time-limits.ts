import type { ClientConfig } from 'pg';

/** How long the database may take, in milliseconds. docs/operations/reliability.md has the same table. */
export const timeLimits = {
  /** Until a connection stands. */
  connect: 5000,
  /** Waiting for a lock that another transaction holds. */
  lock: 5000,
  /** One statement; jobs may declare more (`statementLimit` of `defineJob`). */
  statement: 30_000,
  /** A transaction in which nothing happens. */
  idleInTransaction: 60_000,
  /** Silence of a connection after which it is asked whether the server still works on what it was given. */
  suspicious: 5000,
  /** Silence beyond the longest statement after which a connection is given up where nobody can be asked, behind a pooler. */
  overdue: 5000,
} as const;

/** The limits as the driver hands them to the server when a connection begins. */
export const limitsOfConnection = {
  connectionTimeoutMillis: timeLimits.connect,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  lock_timeout: timeLimits.lock,
  statement_timeout: timeLimits.statement,
  idle_in_transaction_session_timeout: timeLimits.idleInTransaction,
} satisfies ClientConfig;

/**
 * For migrations, which build indexes over whole tables: half an hour a statement. Locks are waited for no longer than
 * elsewhere: behind a statement that waits for a whole table wait all who only want to read it.
 */
export const patientConnection = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: 1_800_000,
  lock_timeout: timeLimits.lock,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;
