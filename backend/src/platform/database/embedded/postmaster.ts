import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { identity, postgresEnv, runAs, type Account } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmasterFile } from './postmaster-file.js';

/** Recovery after a power cut replays at most a gigabyte of log, which takes far less. */
const START_LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 60_000;
const LOG_LIMIT_BYTES = 1_000_000;
const POLL_MS = 10;
/** PostgreSQL's words when children of a killed predecessor have not ended yet; they do so by themselves. */
const PREDECESSOR_ENDING = 'shared memory block';
const PREDECESSOR_LIMIT_MS = 15_000;

export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly clusterDir: string;
  readonly account: Account | null;
  /** Folder of its socket; empty when it listens on a port. */
  readonly socketDir: string;
  /** File for PostgreSQL's own messages; they hold no statements and no values. */
  readonly logFile: string;
  /** Settings beside those of postgresql.conf, which they overrule. */
  readonly settings: Record<string, string>;
  readonly onExit: (message: string) => void;
}

/** One running PostgreSQL server. */
export class Postmaster {
  readonly #options: PostmasterOptions;
  readonly #process: ChildProcess;
  readonly #logStart: number;
  readonly #exited: Promise<void>;
  #guardian: ChildProcess | undefined;
  #stopping = false;
  #ready = false;

  private constructor(options: PostmasterOptions) {
    this.#options = options;
    this.#logStart = statSync(options.logFile, { throwIfNoEntry: false })?.size ?? 0;
    this.#process = launch(options);
    this.#exited = new Promise((resolve) => {
      this.#process.once('error', () => resolve());
      this.#process.once('exit', () => resolve());
    });
    void this.#exited.then(() => this.#ended());
  }

  /**
   * Starts PostgreSQL and waits until it takes connections, recovery included.
   * @param signal aborted when it is not wanted any more
   * @throws EmbeddedPostgresError START_FAILED with PostgreSQL's own last words
   */
  static async start(options: PostmasterOptions, signal?: AbortSignal): Promise<Postmaster> {
    rotate(options.logFile);
    const deadline = performance.now() + PREDECESSOR_LIMIT_MS;
    for (;;) {
      const postmaster = new Postmaster(options);
      if (await postmaster.#becomesReady(signal)) {
        postmaster.#guardian = startGuardian(postmaster.#process.pid, options.socketDir, options.account);
        return postmaster;
      }
      const words = postmaster.#lastWords();
      if (!words.includes(PREDECESSOR_ENDING) || performance.now() > deadline || signal?.aborted) {
        throw new EmbeddedPostgresError('START_FAILED', `PostgreSQL did not start. ${words}`);
      }
      await pause(100);
    }
  }

  /** Ends it in good order: sessions are cut off, everything is written, and only then does this resolve. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const limit = setTimeout(() => this.#process.kill('SIGQUIT'), STOP_LIMIT_MS);
    if (process.platform === 'win32') {
      const { binaries, clusterDir } = this.#options;
      await runAs(null, binaries.pgCtl, ['stop', '--pgdata', clusterDir, '--mode', 'fast']);
    } else {
      this.#process.kill('SIGINT');
    }
    await this.#exited;
    clearTimeout(limit);
  }

  async #becomesReady(signal?: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + START_LIMIT_MS;
    while (this.#process.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null) {
      const file = readPostmasterFile(this.#options.clusterDir);
      this.#ready = file?.ready === true && file.pid === this.#process.pid;
      if (this.#ready) return true;
      if (performance.now() > deadline || signal?.aborted) await this.stop();
      else await pause(POLL_MS);
    }
    return false;
  }

  #ended(): void {
    this.#guardian?.kill('SIGKILL');
    if (!this.#ready || this.#stopping) return;
    const how = this.#process.signalCode ?? `exit code ${this.#process.exitCode}`;
    this.#options.onExit(`(${how}). ${this.#lastWords()}`);
  }

  #lastWords(): string {
    const { logFile } = this.#options;
    const text = existsSync(logFile) ? readFileSync(logFile).subarray(this.#logStart).toString() : '';
    return `Its last words (${logFile}): ${text.trim().split('\n').slice(-5).join(' | ') || 'none'}`;
  }
}

/** In a session of its own: Ctrl-C in a terminal reaches every process there, and the database must end last. */
function launch({ binaries, clusterDir, account, logFile, settings }: PostmasterOptions): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return spawn(binaries.postgres, ['-D', clusterDir, ...args], {
      ...identity(account),
      cwd: '/',
      env: postgresEnv(),
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

function rotate(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
}

/** Stops the server and removes the folder of its socket, but only once its standard input ends. */
const GUARDIAN = 'read -r _; kill -INT "$0"; i=0; until rmdir "$1" || [ $((i += 1)) -gt 100 ]; do sleep 0.1; done';

/** A process that does nothing but wait for our end, however it comes, so that no server outlives a killed application. */
export function startGuardian(
  pid: number | undefined,
  socketDir: string,
  account: Account | null,
): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const guardian = spawn('/bin/sh', ['-c', GUARDIAN, String(pid), socketDir], {
    ...identity(account),
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.on('error', () => undefined);
  guardian.stdin?.on('error', () => undefined);
  guardian.unref();
  (guardian.stdin as unknown as { unref(): void }).unref();
  return guardian;
}
