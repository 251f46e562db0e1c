import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/platform/database/pool/database-connection.js';

/** A suite's copy of the migrated template. */
export interface TestDatabase {
  readonly connection: DatabaseConnection;
  /** For suites that provoke deadlocks; any other suite fails at its end if one occurred. */
  allowDeadlocks(): void;
  /** @throws Error if transactions of the suite deadlocked, even if a retry succeeded */
  drop(): Promise<void>;
}

/** How long sessions may take to end and report their statistics, in milliseconds. */
const DISCONNECT_TIMEOUT = 10_000;

/**
 * Copies the run's template (`TEST_POSTGRES`, set by the global setup) with `FILE_COPY`, which creates and drops faster
 * than `WAL_LOG`; this server need not survive a crash.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = findTestServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withAdminClient(template, (admin) =>
    admin.query(`create database ${name} template ${template.database} strategy file_copy`),
  );
  const connection = { ...template, database: name };
  // Each copy gets its own installation id, as if the migrations had run here.
  await withClient(connection, (client) => client.query('update installation set id = gen_random_uuid()::text'));
  let deadlocksAllowed = false;
  return {
    connection,
    allowDeadlocks: () => void (deadlocksAllowed = true),
    drop: async () => {
      const deadlocks = await withAdminClient(template, async (admin) => {
        const deadlockCount = deadlocksAllowed ? 0 : await countDeadlocks(admin, name);
        await admin.query(`drop database ${name} with (force)`);
        return deadlockCount;
      });
      if (deadlocks > 0) {
        throw new Error(`Transactions of this suite deadlocked (${deadlocks}): they take locks in different orders.`);
      }
    },
  };
}

/** The run's server and template database. */
function findTestServer(): DatabaseConnection {
  const serialised = process.env.TEST_POSTGRES;
  if (!serialised) throw new Error('TEST_POSTGRES is not set: run the suites through jest.config.js.');
  return JSON.parse(serialised) as DatabaseConnection;
}

/** Creates a database without a schema, for suites that migrate it. */
export async function createEmptyDatabase(): Promise<Pick<TestDatabase, 'connection' | 'drop'>> {
  const server = findTestServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withAdminClient(server, (admin) => admin.query(`create database ${name} encoding 'UTF8' template template0`));
  return {
    connection: { ...server, database: name },
    drop: async () =>
      void (await withAdminClient(server, (admin) => admin.query(`drop database ${name} with (force)`))),
  };
}

/** PostgreSQL sessions report their statistics when they end. */
async function countDeadlocks(admin: pg.Client, name: string): Promise<number> {
  const openSessionsSql = `select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend'`;
  for (const deadline = Date.now() + DISCONNECT_TIMEOUT; Date.now() < deadline;) {
    if ((await admin.query(openSessionsSql, [name])).rowCount === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rows } = await admin.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = $1',
    [name],
  );
  return Number(rows[0]?.deadlocks ?? 0);
}

const withAdminClient = <T>(server: DatabaseConnection, work: (admin: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ ...server, database: 'postgres' }, work);

async function withClient<T>(connection: DatabaseConnection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
