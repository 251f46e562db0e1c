import { setTimeout } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../../../migrations/list.js';
import { productVersion } from '../../config/version.js';
import { StartupError } from '../../errors/startup-error.js';
import { ormOptions } from '../orm-options.js';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { migrationTimeouts } from '../pool/timeouts.js';
import { hasReplacedMigrations, toCurrentMigrations } from './baseline.js';
import { checkSchemaVersion } from './check-schema-version.js';
import { withMigrationLock } from './migration-lock.js';

export interface MigrateOptions {
  /** All migrations of this version, in order. */
  readonly migrationList?: typeof migrations;
  /** Called once, and awaited, when another process is migrating. */
  readonly onWait?: () => Promise<void>;
  /** How long a statement waits for a lock, in milliseconds. */
  readonly lockTimeout?: number;
  /** Delay between attempts of a migration that couldn't get a lock, in milliseconds. */
  readonly retryDelay?: number;
}

/** Maximum attempts of a migration that can't get a lock. */
const MAX_ATTEMPTS = 10;
/** Lets the queries that queued behind the failed attempt run before the next one. */
const RETRY_DELAY = 1000;

/**
 * Migrates the database to the newest schema.
 * @returns names of the applied migrations
 * @throws StartupError when the database doesn't exist, doesn't respond, has a newer schema, or its tables are locked
 *   for too long
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
  // A single connection, so that session settings of a migration apply to its next statements.
  const options = ormOptions(connection, [], { ...migrationTimeouts, lock_timeout: lockTimeout, max: 1 });
  const orm = await MikroORM.init({
    ...options,
    migrations: { ...options.migrations, migrationsList: migrationList },
    logger: () => undefined,
  });
  try {
    const work = async () => {
      // The previous holder of the lock may have been a newer version.
      await checkSchemaVersion(connection, undefined, known);
      await renameReplacedMigrations(orm);
      return applyPendingMigrations(orm, retryDelay);
    };
    return await withMigrationLock(connection, work, { onWait });
  } finally {
    await orm.close();
  }
}

/** Records the baseline as applied in a database whose schema was created by the migrations that it replaced. */
async function renameReplacedMigrations(orm: MikroORM): Promise<void> {
  const applied = (await orm.migrator.getExecuted()).map(({ name }) => name);
  if (!hasReplacedMigrations(applied)) return;
  await orm.em.fork().execute(
    `with replaced as (delete from mikro_orm_migrations returning executed_at)
     insert into mikro_orm_migrations (name, executed_at)
     select name, (select min(executed_at) from replaced)
     from jsonb_array_elements_text(?::jsonb) with ordinality as current (name, position) order by position`,
    [JSON.stringify(toCurrentMigrations(applied))],
  );
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

/** True for a lock timeout; the migration has been rolled back. */
function isLockTimeoutError(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === '55P03' || (cause != null && isLockTimeoutError(cause));
}
