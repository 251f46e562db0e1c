import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnIdentity, postgresEnv, runAs, type OsAccount } from './os-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmasterPidFile } from './postmaster-pid-file.js';

/** Crash recovery replays at most one gigabyte of WAL, which takes far less. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const MAX_LOG_BYTES = 1_000_000;
const POLL_INTERVAL_MS = 10;
/** PostgreSQL's message while child processes of a killed predecessor are still exiting; they end without our help. */
const PREDECESSOR_RUNNING_MESSAGE = 'shared memory block';
const PREDECESSOR_TIMEOUT_MS = 15_000;

export interface PostmasterOptions {
  readonly binaries: PostgresBinaries;
  readonly clusterDir: string;
  readonly account: OsAccount | null;
  /** Folder of its socket; empty when it listens on a TCP port. */
  readonly socketDir: string;
  /** File for PostgreSQL's own messages; they contain no statements or values. */
  readonly logFile: string;
  /** Additional settings; they override postgresql.conf. */
  readonly settings: Record<string, string>;
  readonly onExit: (message: string) => void;
}

/** A running PostgreSQL server process. */
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
    this.#process = spawnPostgres(options);
    this.#exited = new Promise((resolve) => {
      this.#process.once('error', () => resolve());
      this.#process.once('exit', () => resolve());
    });
    void this.#exited.then(() => this.#ended());
  }

  /**
   * Starts PostgreSQL and waits until it accepts connections, including crash recovery.
   * @param signal cancels the start
   * @throws EmbeddedPostgresError START_FAILED with PostgreSQL's last messages
   */
  static async start(options: PostmasterOptions, signal?: AbortSignal): Promise<Postmaster> {
    rotateLog(options.logFile);
    const deadline = performance.now() + PREDECESSOR_TIMEOUT_MS;
    for (;;) {
      const postmaster = new Postmaster(options);
      if (await postmaster.#becomesReady(signal)) {
        postmaster.#guardian = startWatchdog(postmaster.#process.pid, options.socketDir, options.account);
        return postmaster;
      }
      const logTail = postmaster.#lastWords();
      if (!logTail.includes(PREDECESSOR_RUNNING_MESSAGE) || performance.now() > deadline || signal?.aborted) {
        throw new EmbeddedPostgresError('START_FAILED', `PostgreSQL did not start. ${logTail}`);
      }
      await pause(100);
    }
  }

  /** Performs a fast shutdown: terminates sessions, and resolves after everything is written to disk. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const limit = setTimeout(() => this.#process.kill('SIGQUIT'), STOP_TIMEOUT_MS);
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
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (this.#process.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null) {
      const file = readPostmasterPidFile(this.#options.clusterDir);
      this.#ready = file?.ready === true && file.pid === this.#process.pid;
      if (this.#ready) return true;
      if (performance.now() > deadline || signal?.aborted) await this.stop();
      else await pause(POLL_INTERVAL_MS);
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

/**
 * Detached into its own session: Ctrl-C in a terminal reaches every process of the session, but the database must end
 * last.
 */
function spawnPostgres({ binaries, clusterDir, account, logFile, settings }: PostmasterOptions): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return spawn(binaries.postgres, ['-D', clusterDir, ...args], {
      ...spawnIdentity(account),
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

function rotateLog(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
}

/** Waits until standard input closes, then stops the server and removes its socket folder. */
const WATCHDOG_SCRIPT =
  'read -r _; kill -INT "$0"; i=0; until rmdir "$1" || [ $((i += 1)) -gt 100 ]; do sleep 0.1; done';

/**
 * Starts a process that waits for the end of this one, however it happens, so that the server never outlives a killed
 * application.
 */
export function startWatchdog(
  pid: number | undefined,
  socketDir: string,
  account: OsAccount | null,
): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, String(pid), socketDir], {
    ...spawnIdentity(account),
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return watchdog;
}
