import { UnderscoreNamingStrategy, type AnyEntity, type EntityName } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/list.js';
import type { Pool, TypeOverrides } from 'pg';
import type { DatabaseConnection } from './connection.js';
import { giveBackLost } from './give-back-lost.js';
import { watchPool } from './pool-usage.js';
import { keepPrepared } from './prepared.js';

/** Connections that one process keeps open at most. */
const POOL_SIZE = 20;

/** Settings of the mapper, the same for the application, the commands and the tests. */
export function ormOptions(connection: DatabaseConnection, entities: EntityName<AnyEntity>[] = []) {
  const { host, port, user, password, database, ssl } = connection;
  return defineConfig({
    driver: PostgreSqlDriver,
    host,
    port,
    user,
    ...(password ? { password } : {}),
    dbName: database,
    driverOptions: { ...(ssl ? { ssl } : {}), onPoolCreated: preparePool },
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    namingStrategy: UnderscoreNamingStrategy,
    timezone: 'UTC',
    forceUtcTimezone: true,
    pool: { min: 0, max: POOL_SIZE },
    migrations: { migrationsList: migrations, snapshot: false, transactional: true, allOrNothing: false },
    debug: false,
  });
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** Counts the pool and keeps it whole; queries of our own get times as Date and 64-bit integers (ids, bytes, counts) as numbers, as the entities do. */
function preparePool(pool: Pool): void {
  watchPool(pool);
  keepPrepared(pool);
  giveBackLost(pool);
  const types = pool.options.types as TypeOverrides;
  types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text));
  types.setTypeParser(INT8, Number);
}
