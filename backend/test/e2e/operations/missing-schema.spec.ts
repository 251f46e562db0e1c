import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { migrations } from '../../../migrations/list.js';
import { awaitSchema } from '../../../src/platform/database/schema/await-schema.js';
import { migrate } from '../../../src/platform/database/schema/migrate.js';
import { MIGRATION_LOCK } from '../../../src/platform/database/schema/migration-lock.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { describeInProcess } from '../../support/world.js';

/** A migration that takes an exclusive lock on a table. */
class NewColumn extends Migration {
  override up(): void {
    this.addSql('alter table zones add column test_column int');
  }
}
const list = [...migrations, { name: '9999-new-column', class: NewColumn }];

describeInProcess('Missing database schema', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.connection as pg.ClientConfig);
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const newest = migrations.at(-1)!.name;
  const removeMigration = () => client.query('delete from mikro_orm_migrations where name = $1', [newest]);
  const restoreMigration = () =>
    client.query('insert into mikro_orm_migrations (name, executed_at) values ($1, now())', [newest]);
  const columns = async () =>
    (await client.query(`select 1 from information_schema.columns where column_name = 'test_column'`)).rowCount;

  it('is awaited by processes that do not migrate', async () => {
    await removeMigration();
    const messages: string[] = [];
    await awaitSchema(database.connection, {
      onWait: (sentence) => void restoreMigration().then(() => messages.push(sentence)),
    });
    expect(messages).toEqual([`The database lacks ${newest}; this worker waits up to 60 seconds for it.`]);
  });

  it('stops with a message if migrations were not run', async () => {
    await removeMigration();
    await expect(awaitSchema(database.connection, { timeout: 0 })).rejects.toThrow(
      new RegExp(`lacks ${newest} and wasn't migrated within 0 seconds.*npm run migrate`),
    );
  });

  it('is migrated once the table is free, with lock timeouts so that read queries are served', async () => {
    await client.query('begin');
    await client.query('select 1 from zones limit 1');
    const readConnection = new pg.Client(database.connection as pg.ClientConfig);
    await readConnection.connect();
    const upgrade = migrate(database.connection, { migrationList: list, lockTimeout: 100, retryDelay: 20 });
    try {
      for (let waits = false; !waits;) {
        const { rowCount } = await readConnection.query(
          `select 1 from pg_stat_activity where query like '%add column test_column%' and wait_event_type = 'Lock'
             and datname = current_database() and pid <> pg_backend_pid()`,
        );
        waits = rowCount! > 0;
      }
      // It queues behind the migration and succeeds, although the transaction that blocks both is still open.
      await readConnection.query('select 1 from zones limit 1');
      await client.query('commit');
      expect(await upgrade).toEqual(['9999-new-column']);
    } finally {
      await readConnection.end();
    }
    expect(await columns()).toBe(1);
  });

  it('ends the migration after ten attempts, leaving nothing behind', async () => {
    await client.query('begin');
    await client.query('select 1 from zones limit 1');
    await expect(migrate(database.connection, { migrationList: list, lockTimeout: 10, retryDelay: 0 })).rejects.toThrow(
      /9999-new-column couldn't lock a table after 10 attempts/,
    );
    await client.query('commit');
    expect(await columns()).toBe(0);
    expect(await migrate(database.connection, { migrationList: list })).toEqual(['9999-new-column']);
  });

  it('ends the start when another process migrated to a newer version', async () => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const onWait = async () => {
      await client.query(`insert into mikro_orm_migrations (name, executed_at) values ('9999-newer', now())`);
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    };
    await expect(migrate(database.connection, { onWait })).rejects.toThrow(/it has 9999-newer, which this version/);
  });

  it('is migrated with the declared timeouts', async () => {
    class Limits extends Migration {
      override up(): void {
        this.addSql('create table test_limits as select current_setting($$lock_timeout$$) as lock');
        this.addSql('alter table test_limits add column statement text');
        this.addSql('update test_limits set statement = current_setting($$statement_timeout$$)');
      }
    }
    await migrate(database.connection, { migrationList: [...migrations, { name: '9999-limits', class: Limits }] });
    expect((await client.query('select * from test_limits')).rows).toEqual([{ lock: '5s', statement: '30min' }]);
  });
});
