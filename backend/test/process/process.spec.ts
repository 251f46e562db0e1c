import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { withClient } from '../../src/platform/database/pool/with-client.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

describeInProcess('Server process', () => {
  let database: TestDatabase;
  let dataDir: string;
  const products: ServerProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-process-'));
  });
  afterEach(async () => {
    for (const { child } of products) child.kill('SIGKILL');
    await Promise.all(products.splice(0).map(({ exitCode }) => exitCode));
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(env: Record<string, string> = {}): ServerProcess {
    const own = { DATABASE_URL: connectionToUrl(database.connection), DATA_DIR: dataDir };
    const serverProcess = ServerProcess.start({ ...own, ...env });
    products.push(serverProcess);
    return serverProcess;
  }

  it('reports that its port is in use', async () => {
    const holder: Server = createServer().listen(0);
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    // Nothing is created first: neither a data folder with a secret nor a database.
    const missingDir = join(dataDir, 'not-made-either');
    const serverProcess = start({ PORT: String(port), DATA_DIR: missingDir, DATABASE_URL: '' });
    expect(await serverProcess.exitCode).toBe(1);
    holder.close();
    await expect(stat(missingDir)).rejects.toThrow('ENOENT');
    expect(serverProcess.output).toContain(`Port ${port} is in use by another program.`);
    expect(serverProcess.output).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['that is not running', 'postgresql://127.0.0.1:1/zonary', 'no database server answers'],
    ['without a name', 'postgresql://127.0.0.1:1', 'DATABASE_URL must name a database'],
  ])('reports what is wrong with a database %s', async (_case, url, sentence) => {
    const serverProcess = start({ DATABASE_URL: url });
    expect(await serverProcess.exitCode).toBe(1);
    expect(serverProcess.output).toContain(sentence);
    expect(serverProcess.output).not.toMatch(/\n\s+at /);
  });

  it('rejects an address with a path before anything is created', async () => {
    const missingDir = join(dataDir, 'not-made');
    const serverProcess = start({ APP_URL: 'https://example.com/zonary', DATA_DIR: missingDir });
    expect(await serverProcess.exitCode).toBe(1);
    expect(serverProcess.output).toContain('APP_URL must be an address without a path');
    await expect(stat(missingDir)).rejects.toThrow('ENOENT');
  });

  it('is ready when it says so and is listed until it stops', async () => {
    const serverProcess = start();
    const url = await serverProcess.waitUntilReady();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const ports = () =>
      withClient(database.connection, async (client) =>
        (await client.query<{ port: number }>('select port from instances')).rows.map((row) => row.port),
      );
    expect(await ports()).toContain(Number(new URL(url).port));
    serverProcess.child.kill('SIGTERM');
    expect(await serverProcess.exitCode).toBe(0);
    expect(await ports()).not.toContain(Number(new URL(url).port));
  });

  it('prints its version once ready, even as a separate worker', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await start().waitForOutput(/Zonary is ready: http:\S+ \(version (\S+)\)\n/)).toBe(version);
    const worker = start({ ROLE: 'worker' });
    expect(await worker.waitForOutput(/The worker of Zonary is ready \(version (\S+)\)\.\n/)).toBe(version);
  });

  it('starts from a folder with non-ASCII letters and keeps its data below it', async () => {
    const project = resolve(import.meta.dirname, '../../..');
    const folder = join(dataDir, 'Zonäry Größe ayşe');
    await cp(join(project, 'dist/backend'), join(folder, 'dist/backend'), { recursive: true });
    await cp(join(project, 'package.json'), join(folder, 'package.json'));
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
    // A database is bound to the secret it was first started with, so this installation has its own.
    const own = await createTestDatabase();
    const env = { DATABASE_URL: connectionToUrl(own.connection), DATA_DIR: join(folder, 'data') };
    const serverProcess = ServerProcess.start(env, join(folder, 'dist/backend/src/main.js'));
    try {
      expect((await fetch(`${await serverProcess.waitUntilReady()}/readyz`)).status).toBe(200);
      expect((await stat(join(folder, 'data/app-secret'))).isFile()).toBe(true);
    } finally {
      await serverProcess.kill();
      await own.drop();
    }
  });

  it('completes running requests on shutdown, accepts no more and exits with 0', async () => {
    const serverProcess = start();
    const { port } = new URL(await serverProcess.waitUntilReady());
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 2, 'Sec-Fetch-Site': 'same-origin' };
    const slow = request({ port, method: 'POST', path: '/api/forgot-password', headers });
    slow.write('{');
    await new Promise((resume) => slow.once('socket', (socket) => socket.once('connect', resume)));
    // The request must have arrived, not only its connection.
    await fetch(`http://localhost:${port}/healthz`);
    serverProcess.child.kill('SIGTERM');
    while (
      await fetch(`http://localhost:${port}/healthz`).then(
        () => true,
        () => false,
      )
    )
      continue;
    slow.end('}');
    const [response] = (await once(slow, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(400);
    expect(await serverProcess.exitCode).toBe(0);
  });

  it('prints the mailbox URL with a key that is stable and private', async () => {
    const serverProcess = start();
    const address = await serverProcess.waitForMailboxUrl();
    expect(address).toMatch(/^http:\/\/localhost:\d+\/dev\/mailbox\?key=[0-9a-f]{64}$/);
    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(address.replace(/\?.*$/, ''))).status).toBe(404);
    expect((await stat(join(dataDir, 'mailbox-key'))).mode & 0o777).toBe(0o600);
    serverProcess.child.kill('SIGTERM');
    await serverProcess.exitCode;
    const again = await start().waitForMailboxUrl();
    expect(new URL(again).search).toBe(new URL(address).search);
  });

  it('prints the setup URL at each start until it was used', async () => {
    const own = await createTestDatabase();
    try {
      const env = { DATABASE_URL: connectionToUrl(own.connection), DATA_DIR: join(dataDir, 'own') };
      const named = start({ ...env, SUPER_ADMIN_EMAIL: 'boss@example.org' });
      await named.waitForOutput(/(Press Ctrl-C)/);
      expect(named.output).not.toContain('/setup');
      const serverProcess = start(env);
      const address = await serverProcess.waitForOutput(/Zonary is ready: .*\nSet it up: (http:\S+)\n/);
      expect(address).toMatch(/^http:\/\/localhost:\d+\/setup\?key=[\w-]{20,}$/);
      const again = await start(env).waitForOutput(/Set it up: (http:\S+)\n/);
      const key = new URL(address).searchParams.get('key');
      expect(new URL(again).searchParams.get('key')).not.toBe(key);
      const names = { firstName: 'Ada', lastName: 'Sample', username: 'ada_sample', email: 'ada@example.org' };
      const created = await fetch(new URL('/api/setup', again), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        body: JSON.stringify({ ...names, password: 'a pass phrase of the first one', key }),
      });
      expect(created.status).toBe(201);
      const last = start(env);
      await last.waitForOutput(/(Press Ctrl-C)/);
      expect(last.output).not.toContain('/setup');
    } finally {
      await own.drop();
    }
  });

  it('prints no mailbox URL when its own address is public', async () => {
    const serverProcess = start({ APP_URL: 'http://zones.example' });
    expect(await serverProcess.waitUntilReady()).toBe('http://zones.example');
    await serverProcess.waitForOutput(/(Press Ctrl-C)/);
    expect(serverProcess.output).toContain("Emails aren't sent because SMTP_URL is not set.");
    expect(serverProcess.output).not.toContain('/dev/mailbox');
  });

  it('starts with the address from the settings, which a variable overrides', async () => {
    const set = `insert into installation_settings (key, value, changed_at) values ('address', '"http://set.example"', now())`;
    await withClient(database.connection, (client) => client.query(set));
    expect(await start().waitUntilReady()).toBe('http://set.example');
    expect(await start({ APP_URL: 'http://variable.example' }).waitUntilReady()).toBe('http://variable.example');
    await withClient(database.connection, (client) => client.query('delete from installation_settings'));
  });

  it('runs twice on one database, migrating it once', async () => {
    const both = [start(), start()];
    const addresses = await Promise.all(both.map((product) => product.waitUntilReady()));
    const responses = await Promise.all(addresses.map((address) => fetch(`${address}/readyz`)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('logs no address, token, code or password at any log level', async () => {
    const serverProcess = start({ ROLE: 'all', LOG_LEVEL: 'debug' });
    const url = await serverProcess.waitUntilReady();
    const email = 'somebody.secret@example.com';
    const post = (path: string, body: string) =>
      fetch(url + path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Sec-Fetch-Site': 'same-origin',
          Cookie: 'zonary_session=COOKIE-SECRET-0123456789',
        },
        body,
      });
    const send = (path: string, body: object) => post(path, JSON.stringify(body));
    await send('/api/send-verification', { email });
    const code = await waitForEmailMatch(serverProcess, email, /\b(\d{6})\b/);
    const names = { firstName: 'Firstsecret', lastName: 'Lastsecret', username: 'usersecret' };
    const form = { email, password: 'password secret', ...names, verificationCode: code };
    expect((await send('/api/register', form)).status).toBe(201);
    await send('/api/login', { email, password: 'another secret' });
    await send('/api/forgot-password', { email });
    await send('/api/reset-password', { token: 'token-secret-token-secret', password: 'password secret' });
    await post('/api/login', `{"email":"${email}", broken`);
    await fetch(`${url}/api/invite/token-secret-token-secret?email=${email}`);
    await fetch(`${url}/api/public-zones/token-secret-token-secret`, { headers: { 'User-Agent': 'agent-secret' } });
    const token = await waitForEmailMatch(serverProcess, email, /reset-password\?token=([\w-]+)/);
    serverProcess.child.kill('SIGTERM');
    expect(await serverProcess.exitCode).toBe(0);
    expect(serverProcess.output).toContain('/api/public-zones/:publicLink');
    expect(serverProcess.output.toLowerCase()).not.toMatch(/secret/);
    expect(serverProcess.output).not.toContain(token);
    expect(serverProcess.output).not.toMatch(new RegExp(`\\b${code}\\b`));
  });

  interface MailboxEntry {
    readonly to: string;
    readonly text: string;
  }

  /** Waits for an email to the address that matches the pattern, and returns its first group. */
  async function waitForEmailMatch(serverProcess: ServerProcess, email: string, pattern: RegExp): Promise<string> {
    const address = (await serverProcess.waitForMailboxUrl()).replace('/dev/mailbox?', '/dev/mailbox.json?');
    for (;;) {
      const mails = (await (await fetch(address)).json()) as MailboxEntry[];
      const found = mails.filter(({ to }) => to.includes(email)).map(({ text }) => pattern.exec(text)?.[1]);
      const first = found.find((value) => value !== undefined);
      if (first) return first;
      await new Promise((resume) => setTimeout(resume, 50));
    }
  }
});
