import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../support/server-process.js';
import { describeInProcess } from '../support/world.js';

/** Concurrent requests. */
const AT_ONCE = 8;

/** Clients that keep sending requests, whatever the responses. */
class Requesters {
  readonly statuses = new Set<number>();
  /** Names of folders created with a 201. */
  readonly created: string[] = [];
  private readonly all: Promise<void>[] = [];
  private isOver = false;

  constructor(
    private readonly ask: (name: string) => Promise<number>,
    prefix: string,
  ) {
    for (let index = 0; index < AT_ONCE; index++) this.all.push(this.createMore(`${prefix} ${index}`));
  }

  /** Waits until this many are created; any other response ends the wait. */
  async waitUntilCreated(count: number): Promise<void> {
    while (this.created.length < count) {
      this.expectOnly();
      await pause();
    }
  }

  /** Expects only 201 and 503 responses. */
  expectOnly(): void {
    expect([...this.statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.all);
  }

  private async createMore(prefix: string): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const status = await this.ask(`${prefix} ${n}`);
      this.statuses.add(status);
      if (status === 201) this.created.push(`${prefix} ${n}`);
    }
  }
}

const pause = () => new Promise((resume) => setTimeout(resume, 20));

describeInProcess('Embedded database under load', () => {
  let dataDir: string;
  let serverProcess: ServerProcess;
  let url: string;
  let cookie = '';
  let zoneId: number;

  const call = (method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  beforeAll(async () => {
    // PostgreSQL's programs must handle such a folder name.
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-embedded-Größe ayşe-'));
    // If this process is root, PostgreSQL runs as another OS user, who must be able to enter the folder.
    execFileSync('chmod', ['711', dataDir]);
    serverProcess = ServerProcess.start({ ROLE: 'all', DATA_DIR: dataDir, RATE_LIMIT: 'off' });
    url = await serverProcess.waitUntilReady();
    const email = 'owner@example.com';
    await call('POST', '/api/send-verification', { email });
    const verificationCode = await waitForCode(email);
    const names = { firstName: 'An', lastName: 'Owner', username: 'loaded_owner' };
    const account = await call('POST', '/api/register', {
      email,
      password: 'correct horse battery',
      verificationCode,
      ...names,
    });
    expect(account.status).toBe(201);
    cookie = account.headers.getSetCookie()[0]!.split(';')[0]!;
    const zone = await call('POST', '/api/zones', { name: 'Kept', type: 'private' });
    zoneId = ((await zone.json()) as { id: number }).id;
  });
  afterAll(async () => {
    serverProcess.child.kill('SIGTERM');
    await serverProcess.exitCode;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function waitForCode(email: string): Promise<string> {
    const mails = (await serverProcess.waitForMailboxUrl()).replace('/dev/mailbox?', '/dev/mailbox.json?');
    for (;;) {
      const all = (await (await fetch(mails)).json()) as { to: string; text: string }[];
      const code = all.map(({ to, text }) => (to.includes(email) ? /\b\d{6}\b/.exec(text)?.[0] : undefined));
      const found = code.find((value) => value !== undefined);
      if (found) return found;
      await pause();
    }
  }

  async function listFolders(): Promise<string[]> {
    const response = await call('GET', `/api/zones/${zoneId}/folders?limit=1000`);
    expect(response.headers.get('link') ?? '').not.toContain('next');
    return ((await response.json()) as { name: string }[]).map(({ name }) => name);
  }

  const postmaster = () => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  /** Pid of one of PostgreSQL's backend processes. */
  const findBackend = () => {
    const lines = execFileSync('ps', ['--ppid', String(postmaster()), '-o', 'pid=,args='])
      .toString()
      .split('\n');
    return Number.parseInt(lines.find((line) => line.includes('zonary zonary'))!.trim(), 10);
  };

  const waitForRestart = () => serverProcess.waitForOutput(/The database server runs again/);
  /** Its log says that it has reinitialised. */
  const reinitialised = async () => {
    const log = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    while (!/terminated by signal 9[^]*ready to accept connections/.test(log())) await pause();
  };

  it.each([
    ['the process of one connection', findBackend, reinitialised],
    ['its postmaster', postmaster, waitForRestart],
  ])('loses no confirmed write when %s is killed and returns 503 until it is back', async (of, pid, back) => {
    const make = async (name: string) => {
      const { status } = await call('POST', `/api/zones/${zoneId}/folders`, { name });
      if (status !== 201) await pause();
      return status;
    };
    const requesters = new Requesters(make, of);
    await requesters.waitUntilCreated(50);
    process.kill(pid(), 'SIGKILL');
    const killedAt = performance.now();
    await back();
    await requesters.waitUntilCreated(requesters.created.length + 50);
    const seconds = (performance.now() - killedAt) / 1000;
    await requesters.end();
    requesters.expectOnly();
    // Only a timeout; the benchmark measures the guaranteed time.
    expect(seconds).toBeLessThan(120);
    const folderNames = await listFolders();
    expect(requesters.created.filter((name) => !folderNames.includes(name))).toEqual([]);
    expect(new Set(folderNames).size).toBe(folderNames.length);
  });
});
