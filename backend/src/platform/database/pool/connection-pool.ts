import { createPostgreSqlTypeParsers } from '@mikro-orm/postgresql';
import type { PostgresPool } from 'kysely';
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { StatementNames } from '../prepared-queries.js';
import { watchConnectionLiveness } from './connection-liveness.js';
import { PoolSlots } from './pool-partitioning.js';
import { PooledConnection } from './pooled-connection.js';

/** The open pools of this process. */
const openPools = new Set<ConnectionPool>();

/** Returns connections in use and idle, and callers waiting for one, over all open pools of this process. */
export function getPoolUsage(): { used: number; idle: number; waiting: number } {
  const usage = { used: 0, idle: 0, waiting: 0 };
  for (const { used, idle, waiting } of openPools) {
    usage.used += used;
    usage.idle += idle;
    usage.waiting += waiting;
  }
  return usage;
}

/** The pool of a database as Kysely uses it: a `pg.Pool` whose connections are partitioned. */
export class ConnectionPool implements PostgresPool {
  private readonly pool: pg.Pool;
  private readonly connections = new Map<PoolClient, PooledConnection>();
  private readonly slots = new PoolSlots();
  private readonly stopWatching: () => void;

  constructor(readonly options: PoolConfig) {
    const config = { types: createTypeParsers(), ...options };
    this.pool = new pg.Pool(config);
    const statementNames = new StatementNames();
    const markAllStale = () => this.connections.forEach((connection) => (connection.isStale = true));
    this.pool.on('connect', (client) =>
      this.connections.set(client, new PooledConnection(client, statementNames, markAllStale)),
    );
    this.pool.on('remove', (client) => this.connections.delete(client));
    // An idle connection was lost. The pool has removed it; without a listener, the process would end.
    this.pool.on('error', () => undefined);
    this.stopWatching = watchConnectionLiveness(this.connections, config);
    openPools.add(this);
  }

  /**
   * Acquires a connection of the current partition, on behalf of the current tenant.
   * @throws PoolTimeoutError when none becomes free within five seconds
   */
  async connect(): Promise<PooledConnection> {
    const releaseSlot = await this.slots.acquire();
    try {
      for (;;) {
        const client = await this.pool.connect();
        const connection = this.connections.get(client)!;
        if (!connection.isStale) return connection.hold(releaseSlot);
        client.release(true);
      }
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  /** Closes all connections, after they have been released. */
  async end(): Promise<void> {
    await this.pool.end();
    // Until then, a dead connection that is in use has to be noticed: nobody would release it.
    this.stopWatching();
    openPools.delete(this);
  }

  get used(): number {
    return this.pool.totalCount - this.pool.idleCount;
  }

  get idle(): number {
    return this.pool.idleCount;
  }

  get waiting(): number {
    return this.pool.waitingCount + this.slots.waitingCount;
  }
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const TEXT_ARRAY = 1009;

/**
 * Parses values as the entities expect them from MikroORM's own pool, except that raw queries return times as Date and
 * 64-bit integers (ids, bytes, counts) as numbers, like entities do.
 */
function createTypeParsers(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  const ofMikroOrm = createPostgreSqlTypeParsers(
    pg.types.getTypeParser(TEXT_ARRAY as number) as (text: string) => string[],
  );
  for (const [oid, parse] of Object.entries(ofMikroOrm)) types.setTypeParser(Number(oid), parse);
  types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text));
  types.setTypeParser(INT8, Number);
  return types;
}
