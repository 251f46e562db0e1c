import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { secrets } from './deliveries.ts';
import { superAdmin } from './super-admin.ts';

const project = join(import.meta.dirname, '../../..');
/** Installing and building may come first. */
const startPatience = 300_000;
const stopPatience = 30_000;

/** Who runs the installation, as its public pages are to say. */
export const company = {
  COMPANY_NAME: 'Sample & Daughters Ltd',
  COMPANY_DIRECTOR: 'Ada Sample',
  COMPANY_PHONE: '+90 312 000 00 00',
  COMPANY_ADDRESS: 'Sample Street 1, Ankara',
  CONTACT_EMAIL: 'hello@zones.example',
  TERMS_URL: 'https://zones.example/terms',
  LANDING_MIN_COUNT: '0',
};

/** What the product of the journeys is told beside where it is. */
const settings = { RATE_LIMIT: 'off', SUPER_ADMIN_EMAIL: superAdmin.email, ...company, ...secrets };

interface Product {
  url: string;
  dataDir: string;
  /** What it has printed so far. */
  printed: () => string;
  stop: () => Promise<void>;
}

/**
 * Starts the built product on a free port with a data folder of its own, as `npm start` does, and waits until it can
 * serve. What it prints goes to test-results/server.log. `stop` ends it in order and removes its data.
 * @param more variables, by the address that it will have
 */
export function startProduct(more: (url: string) => Promise<Record<string, string>>): Promise<Product> {
  return start(async (url) => ({ ...settings, APP_URL: url, ...(await more(url)) }));
}

/** The same as somebody new starts it: nothing is said to it but its port and where its data are to be. */
export const startNewProduct = (): Promise<Product> => start(() => Promise.resolve({}));

async function start(variables: (url: string) => Promise<Record<string, string>>): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const chosen = await variables(url);
  const logFile = join(project, 'test-results/server.log');
  mkdirSync(join(project, 'test-results'), { recursive: true });
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: project,
    env: { ...process.env, ...chosen, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const stop = async () => {
    await end(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await ready(url, child);
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${readFileSync(logFile, 'utf8')}`);
  }
  return { url, dataDir, printed: () => printed, stop };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const latest = Date.now() + startPatience;
  while (Date.now() < latest) {
    if (child.exitCode !== null) throw new Error(`The product ended with code ${child.exitCode} while starting.`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error('The product did not become ready.');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopPatience);
  await ended;
  clearTimeout(late);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
