import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request, createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inProject, Trouble } from './project.mjs';
import { serverEnv, serverFlags, workerEnv, workerFlags } from './server-flags.mjs';
import { findRedis } from './services.mjs';

const built = (path) => inProject('dist/backend/src', path);
const PATIENCE = 60_000;

/**
 * Starts the built product as several processes on one PostgreSQL and, if there is a redis-server, one Redis, all on
 * this machine, behind a round-robin proxy.
 * @returns the proxy's URL, the data folder, the number of requests of each web process, and a function that stops
 * everything
 */
export async function startScaled({ node, web, workers, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'zonary-scale-'));
  const undo = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const database = await startDatabase(folder, undo);
    const redis = await startRedis(folder, undo);
    const proxy = await startProxy(undo);
    const shared = {
      ...{ DATA_DIR: join(folder, 'data'), APP_SECRET: randomBytes(32).toString('hex'), APP_URL: proxy.url },
      ...{ DATABASE_URL: database, RATE_LIMIT: 'off', NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
      ...(redis ? { REDIS_URL: redis } : {}),
    };
    const start = (role) => startProcess(node, { ...shared, ROLE: role }, role, undo);
    for (let count = 0; count < web; count++) proxy.targets.push(await start('web'));
    for (let count = 0; count < workers; count++) await start('worker');
    return { url: proxy.url, dataDir: shared.DATA_DIR, redis: redis !== null, given: proxy.given, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(folder, undo) {
  const { EmbeddedPostgres } = await import(built('platform/database/embedded/embedded-postgres.js'));
  const { connectionToUrl } = await import(built('platform/database/pool/database-connection.js'));
  const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'database'), fsync: false });
  undo.push(() => postgres.stop());
  return connectionToUrl(await postgres.start());
}

async function startRedis(folder, undo) {
  const program = findRedis();
  if (!program) return null;
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(program, args, { stdio: 'ignore' });
  undo.push(() => end(child));
  return `redis://127.0.0.1:${port}`;
}

/**
 * Starts one process with its output in `test-results`.
 * @returns the port of a web process
 */
async function startProcess(node, env, role, undo) {
  const port = await freePort();
  const isWorker = role === 'worker';
  const child = spawn(node, [...(isWorker ? workerFlags : serverFlags), built('main.js')], {
    env: { ...process.env, ...(isWorker ? workerEnv : serverEnv), ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  undo.push(() => end(child));
  mkdirSync(inProject('test-results'), { recursive: true });
  const log = createWriteStream(inProject(`test-results/scale-${role}-${port}.log`));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  if (role === 'web') await ready(`http://127.0.0.1:${port}/readyz`, child, log.path);
  return port;
}

async function ready(url, child, log) {
  const latest = Date.now() + PATIENCE;
  while (Date.now() < latest) {
    if (child.exitCode !== null) break;
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Trouble(`a web process did not become ready; see ${log}`);
}

/** Forwards requests to the targets in turn, without buffering or adding headers. */
async function startProxy(undo) {
  const targets = [];
  const given = new Map();
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const port = targets[turn++ % targets.length];
    given.set(port, (given.get(port) ?? 0) + 1);
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, endToEnd(answer.rawHeaders));
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    // The response came before the whole request: the rest is still read, so that the sender sees the response.
    outgoing.on('close', () => outgoing.writableFinished || onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://localhost:${server.address().port}`, targets, given };
}

/** Removes hop-by-hop headers: the client's connection is kept when the upstream one closes. */
function endToEnd(rawHeaders) {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]]] : []));
  return pairs.filter(([name]) => !/^(connection|keep-alive)$/i.test(name)).flat();
}

async function freePort() {
  const server = createSocket().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
