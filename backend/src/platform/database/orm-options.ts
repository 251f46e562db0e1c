import { UnderscoreNamingStrategy, type AnyEntity, type EntityName } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type { PoolConfig } from 'pg';
import { migrations } from '../../../migrations/list.js';
import type { DatabaseConnection } from './pool/database-connection.js';
import { ConnectionPool } from './pool/connection-pool.js';
import { POOL_SIZE } from './pool/pool-partitioning.js';
import { connectionTimeouts } from './pool/timeouts.js';

/**
 * MikroORM options, shared by the application, commands and tests.
 * @param limits timeouts of the connections, and their number
 */
export function ormOptions(
  connection: DatabaseConnection,
  entities: EntityName<AnyEntity>[] = [],
  limits: PoolConfig = connectionTimeouts,
) {
  const createPool = () => new ConnectionPool({ ...(connection as PoolConfig), max: POOL_SIZE, ...limits });
  return defineConfig({
    driver: PostgreSqlDriver,
    dbName: connection.database,
    // Never create the database: a mistyped name would start an empty installation.
    ensureDatabase: false,
    driverOptions: new PostgresDialect({ pool: () => Promise.resolve(createPool()) }),
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    namingStrategy: UnderscoreNamingStrategy,
    timezone: 'UTC',
    forceUtcTimezone: true,
    migrations: { migrationsList: migrations, snapshot: false, transactional: true, allOrNothing: false },
    // Database functions are created by migrations only; no entity describes them.
    schemaGenerator: { ignoreRoutines: true },
    debug: false,
  });
}
