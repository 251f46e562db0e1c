import { UnderscoreNamingStrategy, type AnyEntity, type EntityName } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/list.js';
import type { Pool, TypeOverrides } from 'pg';
import type { DatabaseConnection } from './pool/connection.js';
import { giveBackLost, watchLinks } from './pool/link-watch.js';
import { allowDeclared } from './pool/long-statements.js';
import { ALL_PLACES, dividePlaces } from './pool/places.js';
import { throwAwayTurned } from './pool/turned-servers.js';
import { watchPool } from './pool/pool-usage.js';
import { keepPrepared } from './prepared.js';
import { limitsOfConnection, patientConnection } from './pool/time-limits.js';

/**
 * Settings of the mapper, the same for the application, the commands and the tests.
 * @param timing `patient` for migrations, whose statements may take half an hour
 */
export function ormOptions(
  connection: DatabaseConnection,
  entities: EntityName<AnyEntity>[] = [],
  timing: 'limited' | 'patient' = 'limited',
) {
  const limits = timing === 'limited' ? limitsOfConnection : patientConnection;
  const { host, port, user, password, database, ssl } = connection;
  return defineConfig({
    driver: PostgreSqlDriver,
    host,
    port,
    user,
    ...(password ? { password } : {}),
    dbName: database,
    // Never made here: a mistyped name would become an empty installation.
    ensureDatabase: false,
    driverOptions: { ...(ssl ? { ssl } : {}), ...limits, onPoolCreated: preparePool },
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    namingStrategy: UnderscoreNamingStrategy,
    timezone: 'UTC',
    forceUtcTimezone: true,
    pool: { min: 0, max: ALL_PLACES },
    migrations: { migrationsList: migrations, snapshot: false, transactional: true, allOrNothing: false },
    // Functions are made by migrations alone; no entity describes them.
    schemaGenerator: { ignoreRoutines: true },
    debug: false,
  });
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** Counts the pool and keeps it whole; queries of our own get times as Date and 64-bit integers (ids, bytes, counts) as numbers, as the entities do. */
function preparePool(pool: Pool): void {
  throwAwayTurned(pool);
  watchPool(pool, dividePlaces(pool));
  watchLinks(pool);
  keepPrepared(pool);
  allowDeclared(pool);
  giveBackLost(pool);
  const types = pool.options.types as TypeOverrides;
  types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text));
  types.setTypeParser(INT8, Number);
}
