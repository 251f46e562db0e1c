import pg from 'pg';
import { withMigrationLock } from '../../src/platform/database/schema/migration-lock.js';
import { DatabaseProxy } from '../support/fakes/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('Migration lock', () => {
  let database: TestDatabase;
  let databaseProxy: DatabaseProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => databaseProxy.close());
  afterAll(() => database.drop());

  const lockDirectly = (name: string) => withMigrationLock(database.connection, () => Promise.resolve(name));

  /** Waits for this many heartbeats of the lock's holder. */
  async function waitForHeartbeats(count: number): Promise<void> {
    const client = new pg.Client(database.connection as pg.ClientConfig);
    await client.connect();
    const notifications = new Set<string>();
    try {
      while (notifications.size < count) {
        const { rows } = await client.query<{ at: string }>(
          `select state_change::text as at from pg_stat_activity where state = 'idle in transaction'
             and datname = current_database() and query like 'set local idle_in_transaction%'`,
        );
        for (const { at } of rows) notifications.add(at);
      }
    } finally {
      await client.end();
    }
  }

  it("is released behind a pooler that keeps the holder's session", async () => {
    databaseProxy = await DatabaseProxy.open(database.connection, true);
    await withMigrationLock(databaseProxy.connection, () => Promise.resolve());
    expect(await lockDirectly('next')).toBe('next');
  });

  it('is kept during long migrations by repeated heartbeats', async () => {
    databaseProxy = await DatabaseProxy.open(database.connection);
    await withMigrationLock(databaseProxy.connection, () => waitForHeartbeats(3), { heartbeatInterval: 10 });
  });

  it('is passed on when its holder sends no heartbeat', async () => {
    databaseProxy = await DatabaseProxy.open(database.connection);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: started, resolve: begin } = Promise.withResolvers<void>();
    const work = () => {
      begin();
      return over;
    };
    const lockResult = withMigrationLock(databaseProxy.connection, work, { idleTimeout: 200 });
    await started;
    databaseProxy.stopForwarding();
    expect(await lockDirectly('next')).toBe('next');
    await databaseProxy.close();
    end();
    await lockResult;
  });
});
