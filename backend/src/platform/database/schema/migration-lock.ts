import { withCommandLock, type CommandLockOptions } from '../command-lock.js';
import type { DatabaseConnection } from '../pool/database-connection.js';

/** Only one process migrates at a time. The others wait and then find nothing to do. */
export const MIGRATION_LOCK = 7_206_642;

/**
 * Runs `work` while no other process migrates. If the connection is lost, so is the lock; the migration is then either
 * rolled back by the server or completes.
 */
export function withMigrationLock<T>(
  connection: DatabaseConnection,
  work: () => Promise<T>,
  options: CommandLockOptions = {},
): Promise<T> {
  return withCommandLock(connection, MIGRATION_LOCK, work, options);
}
