import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join as path } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Response } from 'supertest';
import { ormOptions } from '../../../src/platform/database/orm-options.js';
import type { DatabaseConnection } from '../../../src/platform/database/pool/database-connection.js';
import { withClient } from '../../../src/platform/database/pool/with-client.js';
import {
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { DatabaseProxy } from '../../support/fakes/database-proxy.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { waitUntil } from '../../support/wait-until.js';
import { WorkerProcess } from '../../support/worker-process.js';
import { describeInProcess, World } from '../../support/world.js';
import { joinPublicZone } from '../../support/people/actors.js';

/** In milliseconds: more than the limit of five seconds plus a second for the check, but less than half a minute. */
const SOON = 15_000;

const measure = async <T>(work: PromiseLike<T>): Promise<readonly [T, number]> => {
  const startedAt = performance.now();
  const response = await work;
  return [response, performance.now() - startedAt] as const;
};

describeInProcess('Dead database connection', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let app: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.connection);
    app = await createTestApp({}, [], proxy.connection);
    app.clock.useRealTime();
  });
  afterAll(async () => {
    proxy.failOver();
    await app.close();
    await proxy.close();
    await database.drop();
  });

  const get = (path: string) => fetch(`${app.url}${path}`, { headers: { 'Sec-Fetch-Site': 'same-origin' } });

  it('leads to 503 with Retry-After, and new connections work once available', async () => {
    expect((await get('/api/site')).status).toBe(200);
    const statement = app.em().execute('select pg_sleep(0.2)');
    proxy.stopForwarding();
    const failure = statement.then(
      () => 'an answer',
      (error: { code?: string }) => error.code,
    );
    const [response, time] = await measure(get('/api/public-zones/nobody-has-this-link'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(time).toBeLessThan(SOON);
    expect((await get('/readyz')).status).toBe(503);
    expect((await get('/healthz')).status).toBe(200);
    expect(await failure).toBe('ETIMEDOUT');
    proxy.failOver();
    const [, back] = await measure(waitUntilReady());
    expect(back).toBeLessThan(SOON);
    expect((await get('/api/public-zones/nobody-has-this-link')).status).toBe(404);
  });

  it('does not delay a worker for longer when the old server stops responding', async () => {
    const worker = WorkerProcess.start(app, {});
    try {
      await waitForEmail('before.the.failover@example.com');
      proxy.stopForwarding();
      proxy.failOver();
      const [, back] = await measure(waitUntilReady().then(() => waitForEmail('after.the.failover@example.com')));
      expect(back).toBeLessThan(2 * SOON);
      expect(worker.isAlive).toBe(true);
    } finally {
      await worker.kill();
    }
  });

  it('does not interrupt a statement that the server still executes', async () => {
    const [rows, time] = await measure(app.em().execute('select pg_sleep(7), 1 as one'));
    expect(rows).toEqual([expect.objectContaining({ one: 1 })]);
    expect(time).toBeGreaterThan(6900);
  });

  it('does not interrupt a statement while the server accepts no connections', async () => {
    const admin = new pg.Client({ ...database.connection, database: 'postgres' } as pg.ClientConfig);
    await admin.connect();
    const allow = (what: boolean) =>
      admin.query(`alter database "${database.connection.database}" allow_connections ${what}`);
    const statement = app.em().execute('select pg_sleep(8), 2 as two');
    try {
      for (let count = 0; count === 0;) {
        const found = await admin.query(
          `select 1 from pg_stat_activity where query like '%pg_sleep(8), 2%' and pid <> pg_backend_pid()`,
        );
        count = found.rowCount ?? 0;
      }
      await allow(false);
      expect(await statement).toEqual([expect.objectContaining({ two: 2 })]);
    } finally {
      await allow(true);
      await admin.end();
    }
  });

  it('does not interrupt a statement when the server asks for a password', async () => {
    await withPasswordUser(database.connection, async (connection) => {
      const orm = await MikroORM.init(ormOptions(connection));
      try {
        const rows = await orm.em.fork().execute('select pg_sleep(7), 3 as three');
        expect(rows).toEqual([expect.objectContaining({ three: 3 })]);
      } finally {
        await orm.close();
      }
    });
  });

  it('is bounded by statement, lock and idle transaction timeouts', async () => {
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const read = settings.map((name) => app.em().execute(`show ${name}`));
    const values = (await Promise.all(read)).map(([row]) => Object.values(row as object)[0] as string);
    expect(values).toEqual(['30s', '5s', '1min']);
  });

  /** Waits until the worker has sent one more email. */
  async function waitForEmail(email: string): Promise<void> {
    const folder = path(app.config.dataDir, 'mailbox');
    const mails = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')).length : 0);
    const before = mails();
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ email }) };
    expect((await fetch(`${app.url}/api/send-verification`, request)).status).toBe(200);
    while (mails() === before) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async function waitUntilReady(): Promise<void> {
    while ((await get('/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

/** Runs `work` with the connection of a user from whom the server requires a password. */
async function withPasswordUser(
  target: DatabaseConnection,
  work: (connection: DatabaseConnection) => Promise<void>,
): Promise<void> {
  const [user, password] = [uniqueName('password_user'), 'a password'];
  await withClient(target, async (admin) => {
    const { rows } = await admin.query<{ hba_file: string }>('show hba_file');
    const { hba_file: rulesFile } = rows[0]!;
    const rules = readFileSync(rulesFile, 'utf8');
    const setRules = async (text: string) => {
      writeFileSync(rulesFile, text);
      await admin.query('select pg_reload_conf()');
    };
    await admin.query(`create user ${user} password '${password}'`);
    try {
      await setRules(`local all ${user} scram-sha-256\nhost all ${user} all scram-sha-256\n${rules}`);
      const connects = (connection: DatabaseConnection) =>
        withClient(connection, () => Promise.resolve(true)).catch(() => false);
      await waitUntil('the server requires the password', async () => !(await connects({ ...target, user })));
      await work({ ...target, user, password });
    } finally {
      await setRules(rules);
      await admin.query(`drop user ${user}`);
    }
  });
}

describeInProcess('Held lock on one zone', () => {
  let world: World;
  let owner: Actor;
  let other: Actor;
  let zone: TestZone;
  let otherZone: TestZone;
  let holder: pg.Client;
  /** Observes waiting sessions; the lock holder's transaction would see only a snapshot. */
  let watcher: pg.Client;
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    other = await registerUser(world);
    zone = await createZone(owner);
    otherZone = await createZone(other);
    [holder, watcher] = [1, 2].map(() => new pg.Client(world.testApp.connection as pg.ClientConfig)) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
    await holder.query('begin');
    await holder.query('select 1 from zones where id = $1 for update', [zone.id]);
  });
  afterAll(async () => {
    await Promise.all([holder.end(), watcher.end()]);
    await world.close();
  });

  it('leads to 503 there while all other requests succeed', async () => {
    const responses: Response[] = [];
    let full = false;
    // Repeatedly more requests than the pool has connections. If they arrive slowly, the first have timed out before
    // the last start waiting.
    const rename = async () => {
      do responses.push(await owner.client.patch(`/api/zones/${zone.id}`).send({ name: 'Another name' }));
      while (!full);
    };
    const blocked = Array.from({ length: 40 }, rename);
    await waitUntilHalfBlocked();
    full = true;
    const member = await registerUser(world);
    const unaffected = [
      world.createClient().post('/api/login').send({ email: other.email, password: PASSWORD }).expect(200),
      world.createClient().get('/readyz').expect(200),
      world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(200),
      other.client.patch(`/api/zones/${otherZone.id}`).send({ name: 'Free' }).expect(200),
      joinPublicZone(otherZone, member),
    ];
    await Promise.all(unaffected);
    // The lock is still held, so waiting requests time out.
    await Promise.all(blocked);
    for (const { status, headers } of responses) {
      expect([status, headers['retry-after']]).toEqual([503, '5']);
    }
  });

  /** Waits until requests blocked by the lock hold half of the pool. */
  async function waitUntilHalfBlocked(): Promise<void> {
    for (;;) {
      const { rows } = await watcher.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows.length >= 8) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});
