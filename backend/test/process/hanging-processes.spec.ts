import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { reservePort } from '../support/fakes/reserve-port.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

/** Waits until a URL responds with the status; returns the time it took, in milliseconds. */
async function waitForStatus(url: string, status: number): Promise<number> {
  const startedAt = performance.now();
  while ((await statusOf(url)) !== status) await pause(50);
  return performance.now() - startedAt;
}

/** Child processes according to the kernel; none between the end of one and the start of the next. */
const listChildren = (parent: number) =>
  execFileSync('ps', ['-e', '-o', 'ppid=,pid=,args='])
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [, ppid, pid, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(ppid) === parent ? [{ pid: Number(pid), args: args! }] : [];
    });

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already been killed, as intended.
  }
}

describeInProcess('Hanging processes', () => {
  let database: TestDatabase;
  let dataDir: string;
  const products: ServerProcess[] = [];
  /** Stopped workers, which would keep their parent's output open. */
  const stopped: number[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-standing-'));
  });
  afterEach(async () => {
    for (const pid of stopped.splice(0)) killProcess(pid);
    await Promise.all(products.splice(0).map((product) => product.kill()));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(env: Record<string, string>): ServerProcess {
    const serverProcess = ServerProcess.start({
      DATABASE_URL: connectionToUrl(database.connection),
      DATA_DIR: dataDir,
      ...env,
    });
    products.push(serverProcess);
    return serverProcess;
  }

  const workerOf = ({ child }: ServerProcess) =>
    listChildren(child.pid!).find(({ args }) => args.includes('main.js'))!.pid;

  it('provides health checks for a worker on its own port', async () => {
    const port = await reservePort();
    const worker = start({
      ROLE: 'worker',
      WORKER_PORT: String(port),
      APP_SECRET: 'a secret that is long enough for it',
    });
    await waitForStatus(`http://127.0.0.1:${port}/readyz`, 200);
    expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toBe(200);
    expect(await statusOf(`http://127.0.0.1:${port}/api/site`)).toBe(404);
    worker.child.kill('SIGTERM');
    expect(await worker.exitCode).toBe(0);
  });

  it('replaces a suspended worker', async () => {
    const serverProcess = start({ ROLE: 'all', WORKER_PATIENCE: '2' });
    await serverProcess.waitUntilReady();
    const first = workerOf(serverProcess);
    // Until its first heartbeat it gets time to start; once its cron runs, it has sent one.
    while ((await countCronRuns()) === 0) await pause(50);
    stopped.push(first);
    process.kill(first, 'SIGSTOP');
    await serverProcess.waitForOutput(/doesn't respond/);
    for (;;) {
      const now = listChildren(serverProcess.child.pid!).find(({ args }) => args.includes('main.js'));
      if (now && now.pid !== first) break;
      await pause(50);
    }
    expect(await statusOf(`${await serverProcess.waitUntilReady()}/readyz`)).toBe(200);
  });

  it('replaces a worker whose queue poll hangs although it is alive', async () => {
    const serverProcess = start({ ROLE: 'all', WORKER_PATIENCE: '2' });
    await serverProcess.waitUntilReady();
    while ((await countCronRuns()) === 0) await pause(50);
    const holder = new pg.Client(database.connection as pg.ClientConfig);
    await holder.connect();
    try {
      // Each poll now waits for the whole lock timeout, which is longer than the parent's timeout.
      await holder.query('begin');
      await holder.query('lock table jobs in access exclusive mode');
      await serverProcess.waitForOutput(/doesn't respond/);
    } finally {
      await holder.end();
    }
    expect(await statusOf(`${await serverProcess.waitUntilReady()}/readyz`)).toBe(200);
  });

  /** Number of recorded cron runs. */
  async function countCronRuns(): Promise<number> {
    const client = new pg.Client(database.connection as pg.ClientConfig);
    await client.connect();
    try {
      return (await client.query('select 1 from clock_runs')).rows.length;
    } finally {
      await client.end();
    }
  }

  it('drains on SIGTERM: not ready, still serving, then closed', async () => {
    const serverProcess = start({ ROLE: 'web', SHUTDOWN_DELAY: '3' });
    const url = await serverProcess.waitUntilReady();
    serverProcess.child.kill('SIGTERM');
    await waitForStatus(`${url}/readyz`, 503);
    expect(await statusOf(`${url}/api/site`)).toBe(200);
    await waitForStatus(`${url}/healthz`, 0);
    expect(await serverProcess.exitCode).toBe(0);
  });

  it('gives running transfers DRAIN_SECONDS to complete and no more', async () => {
    const serverProcess = start({ ROLE: 'web', DRAIN_SECONDS: '2' });
    const { port } = new URL(await serverProcess.waitUntilReady());
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 2, 'Sec-Fetch-Site': 'same-origin' };
    const slow = request({ port, method: 'POST', path: '/api/forgot-password', headers });
    const failed = once(slow, 'error');
    slow.write('{');
    await once(slow, 'socket');
    await waitForStatus(`http://localhost:${port}/healthz`, 200);
    const startedAt = performance.now();
    serverProcess.child.kill('SIGTERM');
    await failed;
    expect(performance.now() - startedAt).toBeGreaterThan(1900);
    expect(await serverProcess.exitCode).toBe(0);
  });
});

describeInProcess('Embedded database', () => {
  let dataDir: string;
  let serverProcess: ServerProcess;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-embedded-'));
    // If this process is root, PostgreSQL runs as another OS user, who must be able to enter the folder.
    execFileSync('chmod', ['711', dataDir]);
    serverProcess = ServerProcess.start({ ROLE: 'all', DATA_DIR: dataDir });
    await serverProcess.waitUntilReady();
  });
  afterAll(async () => {
    serverProcess.child.kill('SIGTERM');
    await serverProcess.exitCode;
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is restarted after a crash, with 503 meanwhile and no confirmed write lost', async () => {
    const url = await serverProcess.waitUntilReady();
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
        body: JSON.stringify(body),
      });
    const suggested = await post('/api/send-verification', { email: 'kept@example.com' });
    expect(suggested.status).toBe(200);
    const [, postmaster] = listChildren(serverProcess.child.pid!)
      .map(({ pid, args }) => [args, pid] as const)
      .find(([args]) => args.includes('postgres'))!;
    process.kill(postmaster, 'SIGKILL');
    expect([200, 503]).toContain(await statusOf(`${url}/api/site`));
    await serverProcess.waitForOutput(/The database server runs again/);
    expect(await waitForStatus(`${url}/readyz`, 200)).toBeLessThan(10_000);
    const address = (await serverProcess.waitForMailboxUrl()).replace('/dev/mailbox?', '/dev/mailbox.json?');
    // The email requested earlier is sent by the worker that has recovered.
    for (;;) {
      const response = await fetch(address);
      // The process may find another broken connection in its pool and respond with 503.
      expect([200, 503]).toContain(response.status);
      if (response.ok && ((await response.json()) as { to: string }[]).some(({ to }) => to === 'kept@example.com'))
        break;
      await pause(50);
    }
  });
});
