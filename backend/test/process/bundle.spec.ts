import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

const counter = pathToFileURL(resolve(import.meta.dirname, '../support/count-loaded-files.mjs')).href;

describeInProcess('Bundle of the server', () => {
  let database: TestDatabase;
  let dataDir: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-bundle-'));
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (env: Record<string, string>) =>
    ServerProcess.start({ DATABASE_URL: connectionToUrl(database.connection), DATA_DIR: dataDir, ...env });

  it('starts with few files: each costs about as much as 100 kB of code', async () => {
    const server = start({ NODE_OPTIONS: `--import=${counter}` });
    await server.waitUntilReady();
    server.child.kill('SIGTERM');
    expect(await server.exitCode).toBe(0);
    const count = Number(/Loaded (\d+) files\./.exec(server.output)?.[1]);
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(120);
  });

  it('names the TypeScript sources in the stack of an unexpected error', async () => {
    await mkdir(join(dataDir, 'broken/app-secret'), { recursive: true });
    const server = start({ DATA_DIR: join(dataDir, 'broken') });
    expect(await server.exitCode).toBe(1);
    expect(server.output).toContain("Zonary couldn't start.\nError: EISDIR");
    expect(server.output).toMatch(/at .*backend\/src\/platform\/config\/app-secret\.ts:\d+\)/);
    expect(server.output).toMatch(/backend\/src\/main\.ts:\d+/);
    expect(server.output).not.toContain('/chunks/');
  });
});
