import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { migrations } from '../../../migrations/list.js';
import { productVersion } from '../../../src/platform/config/version.js';
import { checkSchemaVersion } from '../../../src/platform/database/schema/check-schema-version.js';
import { IndexMigration } from '../../../src/platform/database/schema/index-migration.js';
import { migrate } from '../../../src/platform/database/schema/migrate.js';
import { createZone, registerUser } from '../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('Process start', () => {
  let first: TestApp;
  beforeAll(async () => {
    first = await createTestApp();
  });
  afterAll(() => first.close());

  it('rejects a database of a newer version, names it and changes nothing', async () => {
    const change = (sql: string) => first.em().execute(sql);
    await change(`insert into mikro_orm_migrations (name, executed_at) values ('9999-later', now())`);
    await change(`update installation set version = '9.8.7'`);
    for (const attempt of [migrate, checkSchemaVersion]) {
      await expect(attempt(first.connection)).rejects.toThrow(
        /newer version of Zonary: it has 9999-later.*Start version 9\.8\.7/,
      );
    }
    // Two builds of one version: naming the version would send the user back to the rejected build.
    await change(`update installation set version = '${productVersion()}'`);
    await expect(checkSchemaVersion(first.connection)).rejects.toThrow(
      /Start a version that has 9999-later, or restore/,
    );
    await change(`delete from mikro_orm_migrations where name = '9999-later'`);
    await expect(migrate(first.connection)).resolves.toEqual([]);
  });

  it('rejects an unknown database name without creating it', async () => {
    const mistyped = { ...first.connection, database: 'zonary_mistyped' };
    await expect(migrate(mistyped)).rejects.toThrow(/"zonary_mistyped" in DATABASE_URL does not exist/);
    const rows = await first.em().execute(`select 1 from pg_database where datname = 'zonary_mistyped'`);
    expect(rows).toEqual([]);
  });

  it('rejects a database not encoded in UTF-8 and changes nothing', async () => {
    const em = first.em();
    await em.execute(
      `create database zonary_latin encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    try {
      const latin = { ...first.connection, database: 'zonary_latin' };
      for (const attempt of [migrate, checkSchemaVersion]) {
        await expect(attempt(latin)).rejects.toThrow(
          /"zonary_latin" in DATABASE_URL uses the encoding LATIN1 instead of UTF8/,
        );
      }
      const client = new pg.Client(latin as pg.ClientConfig);
      await client.connect();
      const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`);
      await client.end();
      expect(rows).toEqual([]);
    } finally {
      await em.execute('drop database zonary_latin with (force)');
    }
  });

  it('does not wait forever for a silent database server', async () => {
    const sockets: Socket[] = [];
    const silent: Server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resume) => silent.once('listening', resume));
    const { port } = silent.address() as AddressInfo;
    const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'zonary' };
    await expect(checkSchemaVersion(connection, 300)).rejects.toThrow(
      /accepts connections but hasn't answered for 0\.3 seconds/,
    );
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('rejects another secret than that of the installation', async () => {
    const other = { APP_SECRET: 'another secret that is long enough as well' };
    await expect(createTestApp(other, [], first.connection)).rejects.toThrow(
      /APP_SECRET is not that of this installation/,
    );
    await (await createTestApp({}, [], first.connection)).close();
    // During a rotation the list holds both secrets; afterwards the newest is the installation's.
    const older = first.config.appSecret;
    const rotatedSecrets = { APP_SECRET: `${other.APP_SECRET},${older}` };
    await (await createTestApp(rotatedSecrets, [], first.connection)).close();
    await expect(createTestApp({}, [], first.connection)).rejects.toThrow(/APP_SECRET/);
    await (await createTestApp(rotatedSecrets, [], first.connection)).close();
    await first.em().execute('update installation set secret_fingerprint = null');
    await (await createTestApp(other, [], first.connection)).close();
    await expect(createTestApp({}, [], first.connection)).rejects.toThrow(/APP_SECRET/);
  });
});

/** As an upgrade would add it. */
class NamesIndex extends IndexMigration {
  override up(): void {
    this.buildIndex('zones_test_name_index', 'on zones (name)');
    this.addSql(`insert into built (limits) select current_setting('statement_timeout')`);
  }
}

describeInProcess('Concurrent index build during an upgrade', () => {
  let world: World;
  let writer: pg.Client;
  const clients: pg.Client[] = [];
  async function connectClient(): Promise<pg.Client> {
    const client = new pg.Client(world.testApp.connection as pg.ClientConfig);
    clients.push(client);
    await client.connect();
    return client;
  }
  beforeAll(async () => {
    world = await World.open();
    writer = await connectClient();
    await writer.query('create table built (limits text)');
  });
  afterAll(async () => {
    for (const client of clients) await client.end();
    await world.close();
  });

  /** Runs what `migrate` does, with an additional migration. */
  function upgrade(): Promise<string[]> {
    const list = [...migrations, { name: '9999-names-index', class: NamesIndex }];
    return migrate(world.testApp.connection, { migrationList: list });
  }

  const index = async () => {
    const { rows } = await writer.query<{ indisvalid: boolean }>(
      `select indisvalid from pg_index where indexrelid = to_regclass('zones_test_name_index')`,
    );
    return rows.map(({ indisvalid }) => indisvalid);
  };

  it('runs in one process while writes continue and removes a leftover invalid index', async () => {
    const [owner, user] = [await registerUser(world), await registerUser(world)];
    const zone = await createZone(owner);
    // What a killed upgrade leaves: an index that exists but is invalid.
    await writer.query('create index zones_test_name_index on zones (name)');
    await writer.query(`update pg_index set indisvalid = false where indexrelid = 'zones_test_name_index'::regclass`);
    expect(await index()).toEqual([false]);
    // An old writing transaction keeps the index build from finishing.
    const old = await connectClient();
    await old.query('begin');
    await old.query('update zones set name = name where id = $1', [zone.id]);
    const upgrades = [upgrade(), upgrade()];
    for (let waits = false; !waits;) {
      const { rowCount } = await writer.query(
        `select from pg_stat_activity where query like '%index concurrently%zones_test_name_index%' and wait_event_type = 'Lock'
           and pid <> pg_backend_pid()`,
      );
      waits = rowCount! > 0;
    }
    const other = await createZone(user, { name: 'While it is built' });
    await user.client.patch(`/api/zones/${other.id}`).send({ name: 'Renamed meanwhile' }).expect(200);
    await old.query('commit');
    const results = await Promise.all(upgrades);
    expect(results.flat()).toEqual(['9999-names-index']);
    expect(await index()).toEqual([true]);
    const { rows } = await writer.query('select limits from built');
    expect(rows).toEqual([{ limits: '30min' }]);
  });
});
