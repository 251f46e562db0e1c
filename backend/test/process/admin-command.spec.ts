import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { runCommand } from '../e2e/operations/backup-helpers.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

const EMAIL = 'ada@example.org';
const PASSWORD = 'a pass phrase of the first one';

async function post(url: string, path: string, body: object) {
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const tokenIn = (text: string) => /\/reset-password\?token=([\w-]+)\s*$/.exec(text)![1]!;

describeInProcess('npm run admin', () => {
  let dataDir: string;
  const products: ServerProcess[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-admin-'));
  });
  afterEach(async () => {
    for (const serverProcess of products.splice(0)) {
      // A clean shutdown, so that its database isn't left running.
      serverProcess.child.kill('SIGTERM');
      await serverProcess.exitCode;
    }
    await rm(dataDir, { recursive: true, force: true });
  });

  it('creates the super admin before the first start and resets the password later', async () => {
    const env = { DATA_DIR: dataDir };
    const creation = await runCommand('admin', ['create', ' Ada@Example.org '], env);
    expect([creation.code, creation.text]).toEqual([0, expect.stringContaining(`${EMAIL} is now a super admin`)]);
    const serverProcess = ServerProcess.start(env);
    products.push(serverProcess);
    const url = await serverProcess.waitUntilReady();
    const first = { token: tokenIn(creation.text), password: PASSWORD };
    expect((await post(url, '/api/reset-password', first)).status).toBe(200);
    const signedIn = await post(url, '/api/login', { email: EMAIL, password: PASSWORD });
    expect(signedIn).toMatchObject({ status: 200, body: { email: EMAIL, isSuperAdmin: true } });

    const reset = await runCommand('admin', ['reset', EMAIL], { ...env, APP_URL: 'https://zones.example' });
    expect([reset.code, reset.text]).toEqual([0, expect.stringContaining('https://zones.example/reset-password?')]);
    const second = { token: tokenIn(reset.text), password: 'another pass phrase of hers' };
    expect((await post(url, '/api/reset-password', second)).status).toBe(200);
    expect((await post(url, '/api/login', { email: EMAIL, password: PASSWORD })).status).toBe(401);
    expect((await post(url, '/api/reset-password', second)).status).toBe(400);
  });

  describe('on a database', () => {
    let database: TestDatabase;
    let client: pg.Client;
    const runAdmin = (...args: string[]) =>
      runCommand('admin', args, { DATABASE_URL: connectionToUrl(database.connection), DATA_DIR: dataDir });
    const insertUser = (email: string, more = '') =>
      client.query(
        `insert into users (email, created_at, updated_at, deactivated_at) values ($1, now(), now(), ${more || 'null'})`,
        [email],
      );
    const readState = async () => {
      const users = await client.query<object>(
        'select email, is_super_admin, email_verified from users order by email',
      );
      const facts = await client.query<object>('select type, actor_id, params from audit_log order by id');
      return { users: users.rows, facts: facts.rows };
    };

    beforeEach(async () => {
      database = await createTestDatabase();
      client = new pg.Client(database.connection as pg.ClientConfig);
      await client.connect();
    });
    afterEach(async () => {
      await client.end();
      await database.drop();
    });

    it('promotes an account without verifying it and audits it', async () => {
      await insertUser(EMAIL);
      expect(await runAdmin('promote', EMAIL)).toEqual({ code: 0, text: `${EMAIL} is now a super admin.\n` });
      expect(await readState()).toEqual({
        users: [{ email: EMAIL, is_super_admin: true, email_verified: false }],
        facts: [{ type: 'user.super-admin-granted', actor_id: null, params: {} }],
      });
      expect(await runAdmin('promote', EMAIL)).toEqual({ code: 1, text: `${EMAIL} is already a super admin.\n` });
    });

    it('prints a link valid for an hour and stores its token nowhere else', async () => {
      await insertUser(EMAIL);
      const { text } = await runAdmin('reset', EMAIL);
      const { rows } = await client.query<object>(
        `select purpose, expires_at - created_at = interval '1 hour' as "isHour" from single_use_tokens`,
      );
      expect(rows).toEqual([{ purpose: 'reset-password', isHour: true }]);
      expect(text.split(tokenIn(text))).toHaveLength(2);
      expect((await readState()).facts).toEqual([
        { type: 'user.reset-sent', actor_id: null, params: { printed: true } },
      ]);
    });

    it.each([
      ['an existing account', ['create', EMAIL], `${EMAIL} already has an account. To make it a super admin`],
      ['an unknown address', ['promote', 'eve@example.org'], 'eve@example.org has no account. To create one'],
      ['a link for an unknown address', ['reset', 'eve@example.org'], 'eve@example.org has no account. To create one'],
      ['a deactivated account', ['promote', 'off@example.org'], 'The account of off@example.org is deactivated.'],
      ['a link for a deactivated account', ['reset', 'off@example.org'], 'The account of off@example.org is'],
      ['an invalid address', ['create', 'ada'], `"ada" isn't an email address.`],
      ['an unknown command', ['demote', EMAIL], 'Usage:'],
      ['the name of a built-in object property', ['constructor', EMAIL], 'Usage:'],
      ['no address', ['create'], 'Usage:'],
      ['two addresses', ['create', EMAIL, 'eve@example.org'], 'Usage:'],
    ])('rejects %s with a message and exit code 1, changing nothing', async (_case, args, sentence) => {
      await insertUser(EMAIL);
      await insertUser('off@example.org', 'now()');
      const before = await readState();
      const { code, text } = await runAdmin(...args);
      expect([code, text]).toEqual([1, expect.stringContaining(sentence)]);
      expect(text).not.toMatch(/\n\s+at /);
      expect(await readState()).toEqual(before);
      expect((await client.query('select 1 from single_use_tokens')).rowCount).toBe(0);
    });
  });
});
