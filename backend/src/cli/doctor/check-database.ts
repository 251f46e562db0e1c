import type pg from 'pg';
import { migrations } from '../../../migrations/list.js';
import { toCurrentMigrations } from '../../platform/database/schema/baseline.js';
import { POOL_SIZE } from '../../platform/database/pool/pool-partitioning.js';
import { createFindings, type Finding } from './finding.js';

const { ok, warn, bad } = createFindings('database');
/** Maximum clock difference between the database and this machine, in seconds. */
const MAX_CLOCK_DIFFERENCE = 5;
const MIN_FREE_CONNECTIONS = 2 * POOL_SIZE;

interface DatabaseState {
  readonly version: number;
  readonly now: Date;
  readonly connections: number;
  readonly used: number;
  readonly trigrams: boolean;
  readonly replica: boolean;
}

/** Checks version, extension, free connections, clock, and whether the schema is that of this version. */
export async function checkDatabase(client: pg.Client): Promise<Finding[]> {
  const startedAt = Date.now();
  const { rows } = await client.query<DatabaseState>(
    `select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as now,
       current_setting('max_connections')::int as connections, (select count(*)::int from pg_stat_activity) as used,
       exists(select from pg_extension where extname = 'pg_trgm') as trigrams, pg_is_in_recovery() as replica`,
  );
  const state = rows[0]!;
  const middle = (startedAt + Date.now()) / 2;
  return [
    ...checkLimits(state),
    checkClock((state.now.getTime() - middle) / 1000),
    await checkSchema(client, state.trigrams),
  ];
}

function checkLimits({ version, connections, used, replica }: DatabaseState): Finding[] {
  if (version < 15) return [bad(`PostgreSQL ${version} is too old: use 15 or later.`)];
  if (replica) return [bad('This server is a read-only replica. Set DATABASE_URL to the primary server.')];
  const summary = `PostgreSQL ${version} with ${connections} connections, ${used} in use`;
  if (connections - used >= MIN_FREE_CONNECTIONS) return [ok(`${summary}.`)];
  return [
    warn(
      `${summary}. Each process uses up to ${POOL_SIZE}. Raise max_connections if the log contains "too many clients".`,
    ),
  ];
}

function checkClock(seconds: number): Finding {
  const difference = Math.abs(seconds);
  if (difference <= MAX_CLOCK_DIFFERENCE)
    return ok(`Its clock differs from this machine's clock by ${difference.toFixed(1)} s.`);
  return warn(
    `Its clock differs from this machine's clock by ${difference.toFixed(0)} s. Synchronize both with a time server (chrony, systemd-timesyncd).`,
  );
}

async function checkSchema(client: pg.Client, trigrams: boolean): Promise<Finding> {
  const state = await client.query<{ exists: boolean }>(
    `select to_regclass('public.mikro_orm_migrations') is not null as "exists"`,
  );
  if (!state.rows[0]!.exists) return warn("It's empty. The first start creates the schema.");
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations');
  const done = toCurrentMigrations(rows.map(({ name }) => name));
  if (done === null)
    return bad('Its schema is older than that of version 0.2.0. Start version 0.2.0 once, then this one.');
  const pending = migrations.filter(({ name }) => !done.includes(name));
  if (pending.length > 0)
    return warn(`${pending.length} migrations are pending. The next start runs them, or run npm run migrate.`);
  if (!trigrams)
    return bad('The extension pg_trgm is missing. Run CREATE EXTENSION pg_trgm as a database administrator.');
  return ok(`Its schema matches this version (${migrations.at(-1)!.name}).`);
}
