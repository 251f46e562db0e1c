import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookSecrets } from './webhook-deliveries.ts';
import { superAdmin } from './super-admin.ts';

const projectRoot = join(import.meta.dirname, '../../..');
/** In milliseconds. Startup may include installing and building. */
const startTimeout = 300_000;
const stopTimeout = 30_000;

/** The company that runs the installation, as shown on public pages. */
export const company = {
  COMPANY_NAME: 'Sample & Daughters Ltd',
  COMPANY_DIRECTOR: 'Ada Sample',
  COMPANY_PHONE: '+90 312 000 00 00',
  COMPANY_ADDRESS: 'Sample Street 1, Ankara',
  CONTACT_EMAIL: 'hello@zones.example',
  TERMS_URL: 'https://zones.example/terms',
  LANDING_MIN_COUNT: '0',
};

/** Configuration of the tested product, besides its URL and folders. */
const defaultEnv = { RATE_LIMIT: 'off', SUPER_ADMIN_EMAIL: superAdmin.email, ...company, ...webhookSecrets };

interface RunningServer {
  url: string;
  dataDir: string;
  /** Its output so far. */
  readOutput: () => string;
  stop: () => Promise<void>;
}

/**
 * Starts the built product like `npm start`, on a free port with its own data folder, and waits until it is ready. Its
 * output goes to `test-results/server.log`. `stop` shuts it down and deletes its data.
 * @param extraEnv returns more environment variables, given the server's URL
 */
export function startServer(extraEnv: (url: string) => Promise<Record<string, string>>): Promise<RunningServer> {
  return spawnServer(async (url) => ({ ...defaultEnv, APP_URL: url, ...(await extraEnv(url)) }));
}

/** The same as a new user starts it: only the port and data folder are set. */
export const startUnconfiguredServer = (): Promise<RunningServer> => spawnServer(() => Promise.resolve({}));

async function spawnServer(createEnv: (url: string) => Promise<Record<string, string>>): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-e2e-'));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const env = await createEnv(url);
  const logFile = join(projectRoot, 'test-results/server.log');
  mkdirSync(join(projectRoot, 'test-results'), { recursive: true });
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: projectRoot,
    env: { ...process.env, ...env, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const stop = async () => {
    await stopProcess(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(url, child);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${readFileSync(logFile, 'utf8')}`);
  }
  return { url, dataDir, readOutput: () => output, stop };
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The product ended with code ${child.exitCode} while starting.`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(200);
  }
  throw new Error('The product did not become ready.');
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  await exited;
  clearTimeout(killTimer);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
