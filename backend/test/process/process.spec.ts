import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectionToUrl } from '../../src/platform/database/connection.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

const main = resolve(import.meta.dirname, '../../../dist/backend/src/main.js');

/** The built product in a process of its own. */
class Product {
  output = '';
  readonly exit: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout!.on('data', (text) => (this.output += String(text)));
    child.stderr!.on('data', (text) => (this.output += String(text)));
    this.exit = once(child, 'close').then(([code]) => code as number | null);
  }

  /** The address at which it says that it is ready. */
  async ready(): Promise<string> {
    for (;;) {
      const address = /Zonary is ready: (http:\S+)/.exec(this.output)?.[1];
      if (address) return address;
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.output}`);
      await new Promise((resume) => setTimeout(resume, 20));
    }
  }
}

describeInProcess('the process', () => {
  let database: TestDatabase;
  let dataDir: string;
  const products: Product[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-process-'));
  });
  afterEach(async () => {
    for (const { child } of products) child.kill('SIGKILL');
    await Promise.all(products.splice(0).map(({ exit }) => exit));
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(env: Record<string, string> = {}): Product {
    const child = spawn(process.execPath, [main], {
      env: {
        ...{ PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'silent', ROLE: 'web', PORT: '0' },
        ...{ DATABASE_URL: connectionToUrl(database.connection), DATA_DIR: dataDir },
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const product = new Product(child);
    products.push(product);
    return product;
  }

  it('says in a sentence that its port is taken', async () => {
    const holder: Server = createServer().listen(0);
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const product = start({ PORT: String(port) });
    expect(await product.exit).toBe(1);
    holder.close();
    expect(product.output).toContain(`Port ${port} is in use by another program.`);
    expect(product.output).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['that is not running', 'postgresql://127.0.0.1:1/zonary', 'no database server answers'],
    ['without a name', 'postgresql://127.0.0.1:1', 'DATABASE_URL must name a database'],
  ])('says in a sentence what is wrong with a database %s', async (_case, url, sentence) => {
    const product = start({ DATABASE_URL: url });
    expect(await product.exit).toBe(1);
    expect(product.output).toContain(sentence);
    expect(product.output).not.toMatch(/\n\s+at /);
  });

  it('answers what is under way when it is told to stop, takes nothing more, and ends with 0', async () => {
    const product = start();
    const { port } = new URL(await product.ready());
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 2, 'Sec-Fetch-Site': 'same-origin' };
    const slow = request({ port, method: 'POST', path: '/api/forgot-password', headers });
    slow.write('{');
    await new Promise((resume) => slow.once('socket', (socket) => socket.once('connect', resume)));
    // The request must have arrived, not only its connection.
    await fetch(`http://localhost:${port}/healthz`);
    product.child.kill('SIGTERM');
    while (
      await fetch(`http://localhost:${port}/healthz`).then(
        () => true,
        () => false,
      )
    )
      continue;
    slow.end('}');
    const [answer] = (await once(slow, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect(await product.exit).toBe(0);
  });

  it('runs twice on one database at once: migrations wait for each other and are made once', async () => {
    const both = [start(), start()];
    const addresses = await Promise.all(both.map((product) => product.ready()));
    const answers = await Promise.all(addresses.map((address) => fetch(`${address}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
