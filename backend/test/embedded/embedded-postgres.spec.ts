import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { EmbeddedPostgresError } from '../../src/platform/database/embedded/embedded-postgres.error.js';
import { findRunningServer } from '../../src/platform/database/embedded/running-server.js';
import {
  findWatchdog,
  DatabaseOwnerProcess,
  createTempDir,
  postmasterOf,
  query,
  isRunning,
  waitUntil,
} from './database-owner-process.js';

const folder = createTempDir();
const started: { stop(): Promise<unknown> }[] = [];

function createEmbedded(dataDir: string, more: object = {}): EmbeddedPostgres {
  const postgres = new EmbeddedPostgres({ dataDir, fsync: false, lockWaitMs: 0, ...more });
  started.push(postgres);
  return postgres;
}

async function startOwner(dataDir: string, fsync = false): Promise<DatabaseOwnerProcess> {
  const ownerProcess = await DatabaseOwnerProcess.start({ dataDir, fsync });
  started.push({ stop: () => ownerProcess.kill('SIGTERM') });
  return ownerProcess;
}

async function startError(postgres: EmbeddedPostgres): Promise<EmbeddedPostgresError> {
  const outcome = await postgres.start().catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(EmbeddedPostgresError);
  return outcome as EmbeddedPostgresError;
}

afterEach(async () => {
  for (const server of started.splice(0).reverse()) await server.stop();
});
afterAll(() => folder.remove());

describe('First start of EmbeddedPostgres', () => {
  it('creates a UTF-8 database on a private socket and listens nowhere else', async () => {
    const dataDir = join(folder.path, 'new');
    const connection = await createEmbedded(dataDir).start();
    expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true);
    expect(connection).toMatchObject({ port: 5432, user: 'zonary', database: 'zonary' });
    expect(statSync(connection.host).mode & 0o077).toBe(0);
    const [row] = await query(
      connection,
      `SELECT current_setting('listen_addresses'), current_setting('server_encoding'), datlocprovider, datlocale
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual(['', 'UTF8', 'b', 'C.UTF-8']);
  });

  it('uses durable writes when fsync is on', async () => {
    const connection = await createEmbedded(join(folder.path, 'safe'), { fsync: true }).start();
    const sql = `SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')`;
    expect(await query(connection, sql)).toEqual([['on', 'on', 'on']]);
  });

  it('starts over after an interrupted first start', async () => {
    const dataDir = join(folder.path, 'interrupted');
    mkdirSync(join(dataDir, 'postgres.new/base'), { recursive: true });
    chmodSync(dataDir, 0o711);
    const connection = await createEmbedded(dataDir).start();
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  it('keeps query contents out of its log', async () => {
    const dataDir = join(folder.path, 'quiet');
    const connection = await createEmbedded(dataDir).start();
    await query(connection, 'CREATE TABLE people (email text PRIMARY KEY)');
    const insert = `INSERT INTO people VALUES ('ada@example.com')`;
    await query(connection, insert);
    await expect(query(connection, insert)).rejects.toThrow('duplicate key');
    await expect(query(connection, `SELECT 'ada@example.com'::int`)).rejects.toThrow('invalid input');
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('ada@example.com');
  });
});

describe('Restart of EmbeddedPostgres', () => {
  it('preserves the rows and removes the socket folder', async () => {
    const dataDir = join(folder.path, 'restart');
    const first = createEmbedded(dataDir);
    const connection = await first.start();
    await query(connection, 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop();
    expect(existsSync(connection.host)).toBe(false);
    expect(await query(await createEmbedded(dataDir).start(), 'SELECT n FROM kept')).toEqual([[7]]);
  });

  it('can be stopped while it starts, and more than once', async () => {
    const postgres = createEmbedded(join(folder.path, 'hasty'));
    const starting = postgres.start();
    await Promise.all([postgres.stop(), postgres.stop()]);
    const { host } = await starting;
    expect(existsSync(host)).toBe(false);
    expect(findRunningServer(join(folder.path, 'hasty'))).toBeNull();
  });
});

describe('Second start on the same data folder', () => {
  it('is rejected with a message that names the first process', async () => {
    const dataDir = join(folder.path, 'twice');
    const ownerProcess = await startOwner(dataDir);
    const { code, message } = await startError(createEmbedded(dataDir));
    expect(code).toBe('DATA_FOLDER_IN_USE');
    expect(message).toContain(`already running on the data folder ${dataDir} (process ${ownerProcess.process.pid})`);
    expect(await query(ownerProcess.connection, 'SELECT 1')).toEqual([[1]]);
  });

  it('proceeds once the first process has stopped', async () => {
    const dataDir = join(folder.path, 'in-turn');
    const first = createEmbedded(dataDir);
    await first.start();
    const notices: string[] = [];
    const second = createEmbedded(dataDir, { lockWaitMs: 60_000, onNotice: (text: string) => notices.push(text) });
    const starting = second.start();
    expect(notices).toEqual([`Another process uses the data folder ${dataDir}; waiting for it to stop.`]);
    await first.stop();
    expect(await query(await starting, 'SELECT 1')).toEqual([[1]]);
  });

  it('can use the connection of the first process instead', async () => {
    const dataDir = join(folder.path, 'beside');
    expect(findRunningServer(dataDir)).toBeNull();
    const ownerProcess = await startOwner(dataDir);
    expect(findRunningServer(dataDir)).toEqual(ownerProcess.connection);
    await ownerProcess.kill('SIGTERM');
    expect(findRunningServer(dataDir)).toBeNull();
  });
});

describe('EmbeddedPostgres after kill -9 of the application', () => {
  it('stops its server and removes its socket folder', async () => {
    const dataDir = join(folder.path, 'guarded');
    const ownerProcess = await startOwner(dataDir);
    const postmaster = postmasterOf(join(dataDir, 'postgres'));
    await ownerProcess.kill('SIGKILL');
    await waitUntil(() => !isRunning(postmaster) && !existsSync(ownerProcess.connection.host));
    expect(await query(await createEmbedded(dataDir).start(), 'SELECT 1')).toEqual([[1]]);
  });

  it('shuts down a server still running without losing committed rows', async () => {
    const dataDir = join(folder.path, 'orphan');
    const ownerProcess = await startOwner(dataDir, true);
    await query(ownerProcess.connection, 'CREATE TABLE kept AS SELECT n FROM generate_series(1, 1000) n');
    const orphan = postmasterOf(join(dataDir, 'postgres'));
    process.kill(findWatchdog(orphan), 'SIGKILL');
    await ownerProcess.kill('SIGKILL');
    expect(isRunning(orphan)).toBe(true);
    const notices: string[] = [];
    const connection = await createEmbedded(dataDir, { onNotice: (text: string) => notices.push(text) }).start();
    expect(notices.join()).toContain('did not end in good order');
    expect(isRunning(orphan)).toBe(false);
    expect(existsSync(ownerProcess.connection.host)).toBe(false);
    expect(await query(connection, 'SELECT count(*)::int FROM kept')).toEqual([[1000]]);
  });

  it('does not kill an unrelated process with the ID in postmaster.pid', async () => {
    const dataDir = join(folder.path, 'reused');
    const first = createEmbedded(dataDir);
    await first.start();
    const file = join(dataDir, 'postgres/postmaster.pid');
    const lines = readFileSync(file, 'utf8').split('\n');
    await first.stop();
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const unrelated = spawn('sleep', ['600'], { uid, gid });
    started.push({ stop: async () => unrelated.kill() });
    writeFileSync(file, [unrelated.pid, ...lines.slice(1)].join('\n'));
    expect(await query(await createEmbedded(dataDir).start(), 'SELECT 1')).toEqual([[1]]);
    expect(isRunning(Number(unrelated.pid))).toBe(true);
  });
});

describe('Unsuitable data folder', () => {
  it('is rejected and left unchanged if it has another major version', async () => {
    const dataDir = join(folder.path, 'older');
    const first = createEmbedded(dataDir);
    await first.start();
    await first.stop();
    const file = join(dataDir, 'postgres/PG_VERSION');
    writeFileSync(file, '16\n');
    const { code, message } = await startError(createEmbedded(dataDir));
    expect(code).toBe('DATA_FOLDER_WRONG_VERSION');
    expect(message).toContain('made by PostgreSQL 16, and this Zonary runs PostgreSQL 18');
    writeFileSync(file, '18\n');
    expect(await query(await createEmbedded(dataDir).start(), 'SELECT 1')).toEqual([[1]]);
  });

  it('is rejected and left unchanged if it has other contents', async () => {
    const dataDir = join(folder.path, 'foreign');
    const letter = join(dataDir, 'postgres/letter.txt');
    mkdirSync(dirname(letter), { recursive: true });
    chmodSync(dataDir, 0o711);
    writeFileSync(letter, 'dear');
    const { code, message } = await startError(createEmbedded(dataDir));
    expect(code).toBe('DATA_FOLDER_WRONG_VERSION');
    expect(message).toContain('holds no database');
    expect(readFileSync(letter, 'utf8')).toBe('dear');
  });

  it('is rejected and not created if its parent folder is missing', async () => {
    const above = join(folder.path, 'unmounted');
    await expect(createEmbedded(join(above, 'data')).start()).rejects.toThrow(
      `The folder ${above}, which contains DATA_DIR, doesn't exist.`,
    );
    expect(existsSync(above)).toBe(false);
  });

  it('is rejected with a message if it is not a folder', async () => {
    const dataDir = join(folder.path, 'a-file');
    writeFileSync(dataDir, '');
    const { code, message } = await startError(createEmbedded(dataDir));
    expect(code).toBe('DATA_FOLDER_UNREADABLE');
    expect(message).toContain(`The data folder ${dataDir} isn't writable for this user`);
  });
});

describe('EmbeddedPostgres without Unix sockets', () => {
  it('accepts only the password of the data folder on its loopback port', async () => {
    const dataDir = join(folder.path, 'tcp');
    const connection = await createEmbedded(dataDir, { transport: 'tcp' }).start();
    expect(connection.host).toBe('127.0.0.1');
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
    await expect(query({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toThrow('authentication failed');
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o077).toBe(0);
    expect(findRunningServer(dataDir)).toEqual(connection);
  });
});
