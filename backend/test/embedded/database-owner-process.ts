import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/platform/database/pool/database-connection.js';
import type { EmbeddedPostgresOptions } from '../../src/platform/database/embedded/embedded-postgres.js';

const root = resolve(import.meta.dirname, '../../..');
const builtModule = join(root, 'dist/compiled/src/platform/database/embedded/embedded-postgres.js');

export interface StartResult {
  readonly connection?: DatabaseConnection;
  readonly code?: string;
  readonly message?: string;
}

/** A second process that runs (or fails to run) the embedded database; see `database-owner.mjs`. */
export class DatabaseOwnerProcess {
  private constructor(
    readonly process: ChildProcess,
    readonly result: StartResult,
  ) {}

  static async start(options: EmbeddedPostgresOptions, module = builtModule): Promise<DatabaseOwnerProcess> {
    const program = join(import.meta.dirname, 'database-owner.mjs');
    const child = spawn(process.execPath, [program, module, JSON.stringify({ fsync: false, ...options })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const ended = once(lines, 'close').then(() =>
      Promise.reject(new Error('The process exited before it printed its result.')),
    );
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    // It exits later, after printing its line.
    ended.catch(() => undefined);
    return new DatabaseOwnerProcess(child, JSON.parse(line) as StartResult);
  }

  get connection(): DatabaseConnection {
    if (!this.result.connection) throw new Error(this.result.message);
    return this.result.connection;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill(signal);
    await exit;
  }
}

/** Creates a folder for one test that the OS user who runs PostgreSQL can enter. */
export function createTempDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'zonary-spec-'));
  chmodSync(path, 0o711);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export async function query(connection: DatabaseConnection, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][];
  } finally {
    await client.end();
  }
}

/** Polls a condition of the machine, limited by the test's timeout. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resume) => setTimeout(resume, 10));
}

export function postmasterOf(clusterDir: string): number {
  return Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** User and command line of a process; null if there is none, or a zombie. */
function processInfo(pid: number): { uid: number; command: string } | null {
  if (process.platform !== 'linux') {
    const columns = ['-o', 'stat=', '-o', 'uid=', '-o', 'command='];
    const { stdout } = spawnSync('ps', [...columns, '-p', String(pid)], { encoding: 'utf8' });
    const [, state, uid, command] = /^(\S+)\s+(\d+)\s+(.*)/.exec(stdout.trim()) ?? [];
    return !state || state.startsWith('Z') ? null : { uid: Number(uid), command: command ?? '' };
  }
  try {
    if (/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return null;
    return {
      uid: statSync(`/proc/${pid}`).uid,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    };
  } catch {
    return null;
  }
}

export function uidOf(pid: number): number | undefined {
  return processInfo(pid)?.uid;
}

export function isRunning(pid: number): boolean {
  return processInfo(pid) !== null;
}

/** Pid of the watchdog that stops the server if its parent dies. */
export function findWatchdog(postmaster: number): number {
  const isWatchdog = (command = '') => command.includes('read -r _') && command.includes(` ${postmaster} `);
  const pid = allProcesses().find((allProcess) => isWatchdog(processInfo(allProcess)?.command));
  if (!pid) throw new Error('The server has no watchdog.');
  return pid;
}

function allProcesses(): number[] {
  const onLinux = process.platform === 'linux';
  const names = onLinux
    ? readdirSync('/proc')
    : spawnSync('ps', ['-eo', 'pid='], { encoding: 'utf8' }).stdout.split('\n');
  return names.map(Number).filter((pid) => pid > 0);
}
