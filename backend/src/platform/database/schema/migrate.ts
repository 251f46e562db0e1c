import { setTimeout } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../../../migrations/list.js';
import { productVersion } from '../../config/version.js';
import { StartupError } from '../../errors/startup-error.js';
import { ormOptions } from '../orm-options.js';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { migrationTimeouts } from '../pool/timeouts.js';
import { checkSchemaVersion } from './check-schema-version.js';
import { withMigrationLock } from './migration-lock.js';

export interface MigrateOptions {
  /** All migrations of the version, in their order. */
  readonly migrationList?: typeof migrations;
  /** Called once, and awaited, when another process migrates at this moment. */
  readonly onWait?: () => Promise<void>;
  /** How long a statement waits for a lock, in milliseconds. */
  readonly lockTimeout?: number;
  /** Between two tries of a migration that was not given its lock, in milliseconds. */
  readonly retryDelay?: number;
}

/** How often a migration is tried that is not given its lock. */
const MAX_ATTEMPTS = 10;
/** Who had to wait behind such a try is served before the next one. */
const RETRY_DELAY = 1000;

/**
 * Brings the database to the newest schema.
 * @returns names of the migrations that were missing
 * @throws StartupError when the database is not there, says nothing, is of a newer version, or in use for too long
 */
export async function migrate(
  connection: DatabaseConnection,
  {
    migrationList = migrations,
    onWait,
    lockTimeout = migrationTimeouts.lock_timeout,
    retryDelay = RETRY_DELAY,
  }: MigrateOptions = {},
): Promise<string[]> {
  const known = migrationList.map(({ name }) => name);
  await checkSchemaVersion(connection, undefined, known);
  const options = ormOptions(connection, [], 'patient');
  const orm = await MikroORM.init({
    ...options,
    driverOptions: { ...options.driverOptions, lock_timeout: lockTimeout },
    migrations: { ...options.migrations, migrationsList: migrationList },
    // One connection: what a migration sets for its session holds for its next statement.
    pool: { min: 0, max: 1 },
    logger: () => undefined,
  });
  try {
    const work = async () => {
      // Who had the turn before may have been of a newer version.
      await checkSchemaVersion(connection, undefined, known);
      return applyPendingMigrations(orm, retryDelay);
    };
    return await withMigrationLock(connection, work, { onWait });
  } finally {
    await orm.close();
  }
}

async function applyPendingMigrations(orm: MikroORM, retryDelay: number): Promise<string[]> {
  const missing = (await orm.migrator.getPending()).map(({ name }) => name);
  for (let attempt = 1; ; attempt++) {
    try {
      await orm.migrator.up();
      break;
    } catch (error) {
      if (!isLockTimeoutError(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new StartupError(await lockTimeoutMessage(orm));
      await setTimeout(retryDelay);
    }
  }
  if (missing.length > 0) await orm.em.fork().execute('update installation set version = ?', [productVersion()]);
  return missing;
}

async function lockTimeoutMessage(orm: MikroORM): Promise<string> {
  const [next] = await orm.migrator.getPending();
  return (
    `${next?.name ?? 'A migration'} couldn't lock a table after ${MAX_ATTEMPTS} attempts. ` +
    'End long-running transactions (see pg_stat_activity), then start again. Completed migrations are kept.'
  );
}

/** A lock was not given in time; what the migration had done by then is undone. */
function isLockTimeoutError(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === '55P03' || (cause != null && isLockTimeoutError(cause));
}
