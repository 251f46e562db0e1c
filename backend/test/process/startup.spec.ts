import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrations } from '../../migrations/list.js';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { MIGRATION_LOCK } from '../../src/platform/database/schema/migration-lock.js';
import { runCommand } from '../e2e/operations/backup-helpers.js';
import { reservePort } from '../support/fakes/reserve-port.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

const SECRET = 'a secret that is long enough for it';

describeInProcess('Start alongside other processes', () => {
  let database: TestDatabase;
  let dataDir: string;
  let client: pg.Client;
  let env: Record<string, string>;
  const products: ServerProcess[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-starts-'));
    env = { DATABASE_URL: connectionToUrl(database.connection), DATA_DIR: dataDir, APP_SECRET: SECRET };
    client = new pg.Client(database.connection as pg.ClientConfig);
    await client.connect();
  });
  afterEach(async () => {
    await Promise.all(products.splice(0).map((product) => product.kill()));
    await client.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(more: Record<string, string>): ServerProcess {
    const serverProcess = ServerProcess.start({ ...env, ...more });
    products.push(serverProcess);
    return serverProcess;
  }

  it('is live but not ready while another process migrates, and then serves', async () => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const serverProcess = start({ ROLE: 'web' });
    const url = `http://localhost:${await serverProcess.waitForOutput(/requests on port (\d+) are answered with 503/)}`;
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const headers = { 'Accept-Language': 'tr', 'X-Request-Id': 'asked-by-a-test' };
    const response = await fetch(`${url}/api/login`, { method: 'POST', body: '{}', headers });
    expect(response.status).toBe(503);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '2',
      'cache-control': 'no-store',
      'x-request-id': 'asked-by-a-test',
    });
    expect(await response.json()).toEqual({
      statusCode: 503,
      code: 'SERVICE_UNAVAILABLE',
      requestId: 'asked-by-a-test',
      message: expect.stringContaining('kullanılamıyor'),
    });
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    expect(await serverProcess.waitUntilReady()).toBe(url);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('stops cleanly while waiting', async () => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const serverProcess = start({ ROLE: 'web' });
    await serverProcess.waitForOutput(/are answered with 503/);
    serverProcess.child.kill('SIGTERM');
    expect(await serverProcess.exitCode).toBe(0);
  });

  it('is rejected with another secret before any migration', async () => {
    const newest = migrations.at(-1)!.name;
    await client.query('delete from mikro_orm_migrations where name = $1', [newest]);
    await client.query(`update installation set secret_fingerprint = 'of another one'`);
    const serverProcess = start({ ROLE: 'web' });
    expect(await serverProcess.exitCode).toBe(1);
    expect(serverProcess.output).toContain('APP_SECRET is not that of this installation');
    const { rowCount } = await client.query('select 1 from mikro_orm_migrations where name = $1', [newest]);
    expect(rowCount).toBe(0);
  });

  it('lets a worker wait for the schema', async () => {
    const newest = migrations.at(-1)!.name;
    await client.query('delete from mikro_orm_migrations where name = $1', [newest]);
    const port = await reservePort();
    const worker = start({ ROLE: 'worker', WORKER_PORT: String(port) });
    await worker.waitForOutput(/this worker waits/);
    await client.query('insert into mikro_orm_migrations (name, executed_at) values ($1, now())', [newest]);
    for (let status = 0; status !== 200;) {
      status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    }
  });

  describe('of a command', () => {
    const archive = () => join(dataDir, 'archive.tar');
    const commands: [string, () => string[]][] = [
      ['backup', () => ['--to', archive()]],
      ['installation', () => ['adopt-storage']],
      ['admin', () => ['create', 'ada@example.org']],
    ];

    it.each(commands)('is rejected on a newer database: %s', async (name, args) => {
      await client.query(`insert into mikro_orm_migrations (name, executed_at) values ('9999-later', now())`);
      const { code, text } = await runCommand(name, args(), env);
      expect([code, text]).toEqual([1, expect.stringContaining('it has 9999-later, which this version')]);
      expect(existsSync(archive())).toBe(false);
    });

    it.each(commands)('is rejected with the secret of another installation: %s', async (name, args) => {
      await client.query(`update installation set secret_fingerprint = 'of another one'`);
      const { code, text } = await runCommand(name, args(), env);
      expect([code, text]).toEqual([1, expect.stringContaining('APP_SECRET is not that of this installation')]);
      expect(existsSync(archive())).toBe(false);
      const { rows } = await client.query(
        `select 1 from audit_log where type in ('storage.adopted', 'user.super-admin-granted')`,
      );
      expect(rows).toEqual([]);
    });

    it('is allowed for the command that accepts another secret', async () => {
      await client.query(`update installation set secret_fingerprint = 'of another one'`);
      const { code } = await runCommand('installation', ['accept-secret'], env);
      expect(code).toBe(0);
      const { rows } = await client.query('select secret_fingerprint from installation');
      expect(rows).toEqual([{ secret_fingerprint: null }]);
    });
  });
});
