import { createWriteStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { CommandError } from '../../../src/cli/backup/run-command.js';
import { createBackup } from '../../../src/cli/backup/create-backup.js';
import { restoreBackup } from '../../../src/cli/backup/restore-backup.js';
import { RestoreTarget } from '../../../src/cli/backup/restore-target.js';
import { createLocalStorage } from '../../../src/cli/backup/with-database.js';
import { withClient } from '../../../src/platform/database/pool/with-client.js';
import { AppConfig } from '../../../src/platform/config/app-config.js';
import { InstallationSettingsService } from '../../../src/platform/installation/installation-settings.service.js';
import { parseMark } from '../../../src/platform/storage/ownership/storage-mark.js';
import { connectionToUrl, type DatabaseConnection } from '../../../src/platform/database/pool/database-connection.js';
import {
  createZone,
  joinPublicZone as joinZone,
  PASSWORD,
  registerUser,
  type Actor,
} from '../../support/people/actors.js';
import { createTestApp } from '../../support/test-app.js';
import { createTestDatabase } from '../../support/test-database.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  alterArchive,
  runCommand,
  digestTables,
  truncateFile,
  archiveEntries,
  TempFolders,
  startServer,
} from './backup-helpers.js';
import { createFolder, uploadFile } from '../files/upload/multipart-helpers.js';

/** In milliseconds on a busy machine: four commands and a server, each with its own PostgreSQL. */
const TIMEOUT = 180_000;

describeInProcess('Backup and restore', () => {
  const tempFolders = new TempFolders();
  const drops: (() => Promise<void>)[] = [];
  let world: World;
  let owner: Actor;
  let file: string;
  let fileId: number;
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    const zone = await createZone(owner, { name: 'Back \\ slash, "quotes" and \\N' });
    const folderId = await createFolder(owner.client, zone.id, 'Şubat "quoted"');
    const { id } = await uploadFile(
      owner.client,
      zone.id,
      'tab\u00adname.txt',
      'first line\nsecond',
      `?folderId=${folderId}`,
    );
    fileId = id;
    await uploadFile(owner.client, zone.id, 'large.bin', Buffer.alloc(3 * 2 ** 20, 7));
    await joinZone(zone, await registerUser(world));
    await world.testApp.drain();
    await world.testApp
      .em()
      .execute(`create table activity_y2020 partition of activity for values from ('2020-01-01') to ('2021-01-01')`);
    file = join(tempFolders.create(), 'backup.tar');
    const { app, config, connection } = world.testApp;
    await app
      .get(InstallationSettingsService)
      .changeSettings({ name: 'Sample', companyName: 'Sample Ltd' }, { actorId: owner.id, ipAddress: null });
    await createBackup(config, connection, file);
  });
  afterAll(async () => {
    await world.close();
    for (const drop of drops) await drop();
    tempFolders.removeAll();
  });

  const createEmptyTarget = async () => {
    const { connection, drop } = await createTestDatabase();
    drops.push(drop);
    return { connection, config: AppConfig.from({ DATA_DIR: tempFolders.create() }) };
  };
  const isEmpty = async (connection: DatabaseConnection) => {
    const { sequences: _, ...tables } = await digestTables(connection);
    return Object.values(tables).every((content) => content.startsWith('0 '));
  };
  const expectRejection = async (archive: string, sentence: RegExp) => {
    const { config, connection } = await createEmptyTarget();
    await expect(restoreBackup(config, connection, archive)).rejects.toThrow(sentence);
    expect(await isEmpty(connection)).toBe(true);
    const storage = join(config.dataDir, 'files/files');
    expect(existsSync(storage) && statSync(storage).isFile()).toBe(false);
    await expect(restoreBackup(config, connection, file)).resolves.toBeDefined();
  };

  it('restores every row, sequence, partition and file', async () => {
    const { config, connection } = await createEmptyTarget();
    await restoreBackup(config, connection, file);
    expect(await digestTables(connection)).toEqual(await digestTables(world.testApp.connection));
    const restoredApp = await createTestApp({ DATA_DIR: config.dataDir }, [], connection);
    try {
      expect([restoredApp.config.appName, restoredApp.config.company.name]).toEqual(['Sample', 'Sample Ltd']);
      const rows = await restoredApp.em().execute(`select to_regclass('activity_y2020') is not null as there`);
      expect(rows[0]).toEqual({ there: true });
      const restored = { ...world, url: restoredApp.url } as World;
      const client = World.prototype.createClient.call(restored);
      await client.post('/api/login').send({ email: owner.email, password: PASSWORD }).expect(200);
      const { text } = await client.get(`/api/files/${fileId}/view`).buffer(true).expect(200);
      expect(text).toBe('first line\nsecond');
      const zone = (await client.get('/api/zones').expect(200)).body[0] as { id: number; name: string };
      expect(zone.name).toBe('Back \\ slash, "quotes" and \\N');
      await createFolder(client, zone.id, 'Made after the restore');
      const triggers = await restoredApp
        .em()
        .execute(`select count(*)::int as off from pg_trigger where tgenabled = 'D'`);
      expect(triggers[0]).toEqual({ off: 0 });
    } finally {
      await restoredApp.close();
    }
  });

  it('is consistent during concurrent uploads and deletions', async () => {
    const zone = (await owner.client.get('/api/zones').expect(200)).body[0] as { id: number };
    const busy = Array.from({ length: 30 }, async (_, index) => {
      const { id } = await uploadFile(owner.client, zone.id, `busy ${index}.txt`, `content ${index}`);
      if (index % 3 === 0) await owner.client.delete(`/api/files/${id}`).expect(204);
    });
    const archive = join(tempFolders.create(), 'busy.tar');
    await Promise.all([...busy, createBackup(world.testApp.config, world.testApp.connection, archive)]);
    const { config, connection } = await createEmptyTarget();
    await restoreBackup(config, connection, archive);
    const restoredApp = await createTestApp({ DATA_DIR: config.dataDir }, [], connection);
    try {
      const rows = await restoredApp
        .em()
        .execute<{ object_key: string; size: string }[]>('select object_key, size from files');
      for (const { object_key: key, size } of rows) {
        expect(statSync(join(config.dataDir, 'files', key)).size).toBe(Number(size));
      }
    } finally {
      await restoredApp.close();
    }
  });

  it('is readable by its owner only and never overwrites a file', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { config, connection } = world.testApp;
    await expect(createBackup(config, connection, file)).rejects.toThrow(/already exists/);
    const empty = await createEmptyTarget();
    const unused = join(tempFolders.create(), 'x.tar');
    await expect(createBackup(config, { ...empty.connection, database: 'template1' }, unused)).rejects.toThrow(
      /contains no Zonary data/,
    );
    expect(existsSync(unused) || existsSync(`${unused}.part`)).toBe(false);
  });

  it('rejects a target that is not empty', async () => {
    const { config, connection } = await createEmptyTarget();
    await restoreBackup(config, connection, file);
    await expect(restoreBackup(config, connection, file)).rejects.toThrow(/not empty: its table \w+ has rows/);
    const fresh = await createEmptyTarget();
    await expect(restoreBackup(config, fresh.connection, file)).rejects.toThrow(/not empty: its storage/);
  });

  it('can repeat a killed restore, which becomes a separate installation', async () => {
    const { config, connection } = await createEmptyTarget();
    const storage = createLocalStorage(config)!;
    // What a killed restore leaves: the claim on this database, and part of the content.
    await withClient(connection, (client) => RestoreTarget.claim(client, storage));
    await storage.write('files/aa/left', [Buffer.from('left')] as never);
    await expect(createTestApp({ DATA_DIR: config.dataDir }, [], connection)).rejects.toThrow(/restore .* broken off/);
    await restoreBackup(config, connection, file);
    expect(await storage.stat('files/aa/left')).toBeNull();
    const readInstallationId = (of: DatabaseConnection) =>
      withClient(of, async (client) => (await client.query<{ id: string }>('select id from installation')).rows[0]!.id);
    expect(parseMark((await storage.readMark())!)).toEqual({
      installation: await readInstallationId(connection),
      turn: 0,
      restoring: false,
    });
    const analyzed = await withClient(connection, (client) =>
      client.query(`select reltuples::int as rows from pg_class where relname = 'files' and reltuples > 0`),
    );
    expect(analyzed.rowCount).toBe(1);
    await (await createTestApp({ DATA_DIR: config.dataDir }, [], connection)).close();
  });

  it('can repeat a killed restore into an existing running installation', async () => {
    const { config, connection } = await createEmptyTarget();
    const running = await createTestApp({ DATA_DIR: config.dataDir }, [], connection);
    try {
      const storage = createLocalStorage(config)!;
      await withClient(connection, (client) => RestoreTarget.claim(client, storage));
      await storage.write('files/aa/left', [Buffer.from('left')] as never);
      await fetch(`${running.url}/readyz`).then(({ status }) => expect(status).toBe(503));
      await expect(createTestApp({ DATA_DIR: config.dataDir }, [], connection)).rejects.toThrow(
        /restore .* broken off/,
      );
      await restoreBackup(config, connection, file);
      expect(await storage.stat('files/aa/left')).toBeNull();
      await fetch(`${running.url}/readyz`).then(({ status }) => expect(status).toBe(200));
    } finally {
      await running.close();
    }
  });

  it('removes leftovers of a killed backup but none of one in progress', async () => {
    const folder = tempFolders.create();
    const to = join(folder, 'again.tar');
    for (const name of ['again.tar.part', 'again.tar.999999999.part', `again.tar.1.part`, 'other.tar.part']) {
      writeFileSync(join(folder, name), 'half');
    }
    await createBackup(world.testApp.config, world.testApp.connection, to);
    expect(readdirSync(folder).sort()).toEqual(['again.tar', 'again.tar.1.part', 'other.tar.part']);
  });

  it('can be streamed', async () => {
    const { config, connection } = world.testApp;
    const to = join(tempFolders.create(), 'streamed.tar');
    await createBackup(config, connection, createWriteStream(to));
    const target = await createEmptyTarget();
    await restoreBackup(target.config, target.connection, to);
    expect(await digestTables(target.connection)).toEqual(await digestTables(connection));
  });

  it.each([
    ['ENOSPC', /: the disk is full\.$/],
    ['EPIPE', /: the program reading it has ended\.$/],
  ])('reports why it cannot be written: %s', async (code, sentence) => {
    const { config, connection } = world.testApp;
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
    const backup = createBackup(config, connection, broken);
    await expect(backup).rejects.toBeInstanceOf(CommandError);
    await expect(backup).rejects.toThrow(sentence);
  });

  it('rejects backups of another schema, incomplete ones and other files', async () => {
    const manifestWith = (change: (migrations: string[]) => string[]) =>
      alterArchive(file, (name, text) => {
        if (name !== archiveEntries.manifest) return text;
        const manifest = JSON.parse(text) as { migrations: string[] };
        return JSON.stringify({ ...manifest, migrations: change(manifest.migrations) });
      });
    await expectRejection(await manifestWith((list) => [...list, '9999-later']), /newer version \(it has 9999-later\)/);
    await expectRejection(await manifestWith((list) => list.slice(0, -1)), /older version/);
    await expectRejection(await truncateFile(file, 0.6), /./);
    await expectRejection(
      await alterArchive(file, (name, text) => (name === archiveEntries.closing ? null : text)),
      /is incomplete/,
    );
    await expectRejection(
      await alterArchive(file, (name, text) => (/rows\/zones\//.test(name) ? null : text)),
      /damaged|violates/,
    );
    await expectRejection(join(import.meta.dirname, 'backup.spec.ts'), /Couldn't read|isn't a Zonary backup/);
  });

  it('reports an unwritable target and unknown options in a sentence', async () => {
    const { connection, config } = world.testApp;
    const { dataDir, appSecret } = config;
    const env = { DATABASE_URL: connectionToUrl(connection), DATA_DIR: dataDir, APP_SECRET: appSecret };
    const nowhere = await runCommand('backup', ['--to', join(tempFolders.create(), 'missing/all.tar')], env);
    expect(nowhere.code).toBe(1);
    expect(nowhere.text).toMatch(/^Zonary cannot use .*missing: a folder in its path doesn't exist\.\n$/);
    const unknown = await runCommand('backup', ['--too', 'x'], env);
    expect(unknown.code).toBe(1);
    expect(unknown.text).toMatch(/^Unknown option '--too'[^\n]*\n$/);
  });

  it(
    'works by command into an empty data folder, from which the product starts',
    async () => {
      const dataDir = tempFolders.create();
      const to = tempFolders.create();
      const source = {
        DATABASE_URL: connectionToUrl(world.testApp.connection),
        DATA_DIR: world.testApp.config.dataDir,
      };
      const backup = await runCommand('backup', ['--to', to], {
        ...source,
        APP_SECRET: 'a secret for tests that is long enough',
      });
      expect(backup).toMatchObject({
        code: 0,
        text: expect.stringMatching(/Backed up \d+ rows and \d+ files to .*zonary-\d+T\d+Z\.tar/),
      });
      const archive = / to (\S+\.tar)/.exec(backup.text)![1]!;
      const restored = await runCommand('restore', ['--from', archive], { DATA_DIR: dataDir });
      expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('Restored') });
      expect((await runCommand('restore', ['--from', archive], { DATA_DIR: dataDir })).text).toMatch(/not empty/);
      const product = await startServer(dataDir);
      try {
        const response = await fetch(`${product.url}/api/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
          body: JSON.stringify({ email: owner.email, password: PASSWORD }),
        });
        expect(response.status).toBe(200);
        const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
        const view = await fetch(`${product.url}/api/files/${fileId}/view`, { headers: { cookie } });
        expect(await view.text()).toBe('first line\nsecond');
        expect((await runCommand('restore', ['--from', archive], { DATA_DIR: dataDir })).text).toMatch(
          /already running/,
        );
        const onlineBackup = await runCommand('backup', ['--to', join(to, 'online.tar')], { DATA_DIR: dataDir });
        expect(onlineBackup.code).toBe(0);
        expect(readFileSync(join(to, 'online.tar')).includes(readFileSync(join(dataDir, 'app-secret')))).toBe(true);
      } finally {
        await product.stop();
      }
    },
    TIMEOUT,
  );
});
