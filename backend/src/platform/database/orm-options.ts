import { UnderscoreNamingStrategy, type AnyEntity, type EntityName } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { migrations } from '../../../migrations/list.js';
import type { Pool, TypeOverrides } from 'pg';
import type { DatabaseConnection } from './pool/database-connection.js';
import { releaseLostConnections, watchConnectionLiveness } from './pool/connection-liveness.js';
import { applyStatementLimits } from './pool/statement-limit.js';
import { POOL_SIZE, partitionPool } from './pool/pool-partitioning.js';
import { discardReadOnlyConnections } from './pool/read-only-replica-guard.js';
import { registerPool } from './pool/pool-usage.js';
import { enablePreparedQueries } from './prepared-queries.js';
import { connectionTimeouts, migrationTimeouts } from './pool/timeouts.js';

/**
 * MikroORM options, shared by the application, commands and tests.
 * @param timeouts `patient` for migrations, whose statements may take half an hour
 */
export function ormOptions(
  connection: DatabaseConnection,
  entities: EntityName<AnyEntity>[] = [],
  timeouts: 'limited' | 'patient' = 'limited',
) {
  const limits = timeouts === 'limited' ? connectionTimeouts : migrationTimeouts;
  const { host, port, user, password, database, ssl } = connection;
  return defineConfig({
    driver: PostgreSqlDriver,
    host,
    port,
    user,
    ...(password ? { password } : {}),
    dbName: database,
    // Never create the database: a mistyped name would start an empty installation.
    ensureDatabase: false,
    driverOptions: { ...(ssl ? { ssl } : {}), ...limits, onPoolCreated: preparePool },
    entities,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    namingStrategy: UnderscoreNamingStrategy,
    timezone: 'UTC',
    forceUtcTimezone: true,
    pool: { min: 0, max: POOL_SIZE },
    migrations: { migrationsList: migrations, snapshot: false, transactional: true, allOrNothing: false },
    // Database functions are created by migrations only; no entity describes them.
    schemaGenerator: { ignoreRoutines: true },
    debug: false,
  });
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/**
 * Installs the pool extensions. Raw queries return times as Date and 64-bit integers (ids, bytes, counts) as numbers,
 * like entities do.
 */
function preparePool(pool: Pool): void {
  discardReadOnlyConnections(pool);
  registerPool(pool, partitionPool(pool));
  watchConnectionLiveness(pool);
  enablePreparedQueries(pool);
  applyStatementLimits(pool);
  releaseLostConnections(pool);
  const types = pool.options.types as TypeOverrides;
  types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text));
  types.setTypeParser(INT8, Number);
}
