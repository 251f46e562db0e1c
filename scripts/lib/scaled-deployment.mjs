import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request, createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectPath, ScriptError } from './project.mjs';
import { serverEnv, serverFlags, workerEnv, workerFlags } from './server-flags.mjs';
import { findRedis } from './find-programs.mjs';

const importCompiled = (path) => import(projectPath('dist/compiled/src', path));
const START_TIMEOUT_MS = 60_000;

/**
 * Starts the built product as several processes on one PostgreSQL and, if there is a redis-server, one Redis, all on
 * this machine, behind a round-robin proxy.
 * @returns the proxy's URL, the data folder, whether Redis runs, the number of requests by port of the web process, and a
 * function that stops everything
 */
export async function startScaledDeployment({ node, web, workers, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'zonary-scale-'));
  const cleanups = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  };
  try {
    const database = await startDatabase(folder, cleanups);
    const redis = await startRedis(folder, cleanups);
    const proxy = await startProxy(cleanups);
    const shared = {
      DATA_DIR: join(folder, 'data'),
      APP_SECRET: randomBytes(32).toString('hex'),
      APP_URL: proxy.url,
      DATABASE_URL: database,
      RATE_LIMIT: 'off',
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      ...env,
      ...(redis ? { REDIS_URL: redis } : {}),
    };
    const start = (role) => startProcess(node, { ...shared, ROLE: role }, role, cleanups);
    for (let count = 0; count < web; count++) proxy.targets.push(await start('web'));
    for (let count = 0; count < workers; count++) await start('worker');
    return {
      url: proxy.url,
      dataDir: shared.DATA_DIR,
      hasRedis: redis !== null,
      requestCounts: proxy.requestCounts,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(folder, cleanups) {
  const { EmbeddedPostgres } = await importCompiled('platform/database/embedded/embedded-postgres.js');
  const { connectionToUrl } = await importCompiled('platform/database/pool/database-connection.js');
  const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'database'), fsync: false });
  cleanups.push(() => postgres.stop());
  return connectionToUrl(await postgres.start());
}

async function startRedis(folder, cleanups) {
  const program = findRedis();
  if (!program) return null;
  const port = await findFreePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(program, args, { stdio: 'ignore' });
  cleanups.push(() => stopProcess(child));
  return `redis://127.0.0.1:${port}`;
}

/**
 * Starts one process with its output in `test-results`.
 * @returns the port of a web process
 */
async function startProcess(node, env, role, cleanups) {
  const port = await findFreePort();
  const isWorker = role === 'worker';
  const child = spawn(node, [...(isWorker ? workerFlags : serverFlags), projectPath('dist/backend/src/main.js')], {
    env: { ...process.env, ...(isWorker ? workerEnv : serverEnv), ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanups.push(() => stopProcess(child));
  mkdirSync(projectPath('test-results'), { recursive: true });
  const log = createWriteStream(projectPath(`test-results/scale-${role}-${port}.log`));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  if (role === 'web') await waitUntilReady(`http://127.0.0.1:${port}/readyz`, child, log.path);
  return port;
}

async function waitUntilReady(url, child, log) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break;
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new ScriptError(`a web process did not become ready; see ${log}`);
}

/** Forwards requests to the targets in rotation, without buffering or adding headers. */
async function startProxy(cleanups) {
  const targets = [];
  const requestCounts = new Map();
  let requestCount = 0;
  const server = createServer((incoming, outgoing) => {
    const port = targets[requestCount++ % targets.length];
    requestCounts.set(port, (requestCounts.get(port) ?? 0) + 1);
    const { method, url, headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode, removeHopByHopHeaders(response.rawHeaders));
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    upstream.on('error', () => outgoing.destroy());
    // The response came before the whole request: the rest is still read, so that the sender sees the response.
    outgoing.on('close', () => outgoing.writableFinished || upstream.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://localhost:${server.address().port}`, targets, requestCounts };
}

/** Removes hop-by-hop headers: the client's connection is kept when the upstream one closes. */
function removeHopByHopHeaders(rawHeaders) {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []));
  return pairs.filter(([name]) => !/^(connection|keep-alive)$/i.test(name)).flat();
}

async function findFreePort() {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
