import { setTimeout } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../../../migrations/list.js';
import { productVersion } from '../../config/version.js';
import { StartRefusal } from '../../errors/start-refusal.js';
import { ormOptions } from '../orm-options.js';
import type { DatabaseConnection } from '../pool/connection.js';
import { patientConnection } from '../pool/time-limits.js';
import { examineDatabase } from './examine-database.js';
import { inMigrationTurn } from './migration-turn.js';

export interface MigrateOptions {
  /** All migrations of the version, in their order. */
  readonly list?: typeof migrations;
  /** Called once, and awaited, when another process migrates at this moment. */
  readonly onWait?: () => Promise<void>;
  /** How long a statement waits for a lock, in milliseconds. */
  readonly lockWait?: number;
  /** Between two tries of a migration that was not given its lock, in milliseconds. */
  readonly between?: number;
}

/** How often a migration is tried that is not given its lock. */
const TRIES = 10;
/** Who had to wait behind such a try is served before the next one. */
const BETWEEN = 1000;

/**
 * Brings the database to the newest schema.
 * @returns names of the migrations that were missing
 * @throws StartRefusal when the database is not there, says nothing, is of a newer version, or in use for too long
 */
export async function migrate(
  connection: DatabaseConnection,
  { list = migrations, onWait, lockWait = patientConnection.lock_timeout, between = BETWEEN }: MigrateOptions = {},
): Promise<string[]> {
  const known = list.map(({ name }) => name);
  await examineDatabase(connection, undefined, known);
  const options = ormOptions(connection, [], 'patient');
  const orm = await MikroORM.init({
    ...options,
    driverOptions: { ...options.driverOptions, lock_timeout: lockWait },
    migrations: { ...options.migrations, migrationsList: list },
    // One connection: what a migration sets for its session holds for its next statement.
    pool: { min: 0, max: 1 },
    logger: () => undefined,
  });
  try {
    const work = async () => {
      // Who had the turn before may have been of a newer version.
      await examineDatabase(connection, undefined, known);
      return bringUp(orm, between);
    };
    return await inMigrationTurn(connection, work, { onWait });
  } finally {
    await orm.close();
  }
}

async function bringUp(orm: MikroORM, between: number): Promise<string[]> {
  const missing = (await orm.migrator.getPending()).map(({ name }) => name);
  for (let tries = 1; ; tries++) {
    try {
      await orm.migrator.up();
      break;
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tries === TRIES) throw new StartRefusal(await lockedSentence(orm));
      await setTimeout(between);
    }
  }
  if (missing.length > 0) await orm.em.fork().execute('update installation set version = ?', [productVersion()]);
  return missing;
}

async function lockedSentence(orm: MikroORM): Promise<string> {
  const [next] = await orm.migrator.getPending();
  return (
    `${next?.name ?? 'A migration'} couldn't lock a table after ${TRIES} attempts. ` +
    'End long-running transactions (see pg_stat_activity), then start again. Completed migrations are kept.'
  );
}

/** A lock was not given in time; what the migration had done by then is undone. */
function isLocked(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === '55P03' || (cause != null && isLocked(cause));
}
