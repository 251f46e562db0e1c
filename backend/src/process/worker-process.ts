import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AppConfig } from '../platform/config/app-config.js';
import { connectionToUrl, type DatabaseConnection } from '../platform/database/pool/database-connection.js';

/** Wait before a worker that ended by itself is started again, in milliseconds; doubled each time up to the limit. */
const FIRST_RESTART_DELAY = 500;
const MAX_RESTART_DELAY = 30_000;
/** A worker that ran this long was healthy: the wait begins anew. */
const HEALTHY_AFTER = 60_000;

/** How a worker's Node is tuned, as in `scripts/lib/server-flags.mjs`, which says why; the last of a flag counts. */
const NODE_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=10'];
const WORKER_ENV = { MALLOC_ARENA_MAX: '1' };

/** How often the parent looks whether its worker has told that it lives, in milliseconds. */
const CHECK_INTERVAL = 1000;
/** How long a worker may take to stop, in milliseconds: longer than its own limit. */
const STOP_TIMEOUT = 25_000;
/** How long a worker may take to start before it has told anything, in milliseconds. */
const START_TIMEOUT = 60_000;

/** Lets the parent of this worker know that it works. Nothing is told to nobody. */
export function sendHeartbeatToParent(): void {
  if (process.connected) process.send?.('alive');
}

/**
 * What the worker's process is given: what this one was given, and what only this one knows. Nothing else that this one has
 * worked out: the worker would take it for a variable, which wins over what is set in the page, and never see a change.
 */
export function workerEnv(parentEnv: NodeJS.ProcessEnv, config: AppConfig, connection: DatabaseConnection) {
  return {
    ...parentEnv,
    ...WORKER_ENV,
    ROLE: 'worker',
    // As it was given: it may ask for TLS in ways that a connection put together anew would not.
    DATABASE_URL: config.databaseUrl ?? connectionToUrl(connection),
    APP_SECRET: config.appSecret,
  };
}

/** The worker of `ROLE=all`: a child with its own event loop, on the parent's database. */
export class WorkerProcess {
  private child: ChildProcess | null = null;
  private restartTimer: NodeJS.Timeout | undefined;
  private restartDelay = FIRST_RESTART_DELAY;
  private isStopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly connection: DatabaseConnection,
  ) {}

  start(): void {
    const startedAt = performance.now();
    const child = fork(process.argv[1]!, {
      execArgv: [...process.execArgv, ...NODE_FLAGS],
      env: workerEnv(process.env, this.config, this.connection),
    });
    this.child = child;
    const watch = this.watchHeartbeat(child);
    child.on('exit', (code) => {
      clearInterval(watch);
      this.child = null;
      if (this.isStopped) return;
      if (performance.now() - startedAt > HEALTHY_AFTER) this.restartDelay = FIRST_RESTART_DELAY;
      process.stderr.write(`The worker ended (${code ?? 'killed'}). It restarts in ${this.restartDelay} ms.\n`);
      this.restartTimer = setTimeout(() => this.start(), this.restartDelay);
      this.restartDelay = Math.min(this.restartDelay * 2, MAX_RESTART_DELAY);
    });
  }

  /** Ends a worker that gives no sign of life: stopped, or stuck in something that never ends. Another follows. */
  private watchHeartbeat(child: ChildProcess): NodeJS.Timeout {
    let timeout = START_TIMEOUT;
    let silence = 0;
    let checkedAt = performance.now();
    child.on('message', () => {
      silence = 0;
      timeout = this.config.workerTimeout;
    });
    return setInterval(() => {
      const now = performance.now();
      // Where this process stood still itself, what the worker told meanwhile is read only after this.
      silence += Math.min(now - checkedAt, 2 * CHECK_INTERVAL);
      checkedAt = now;
      if (silence < timeout || this.isStopped) return;
      process.stderr.write("The worker doesn't respond and is being stopped.\n");
      child.kill('SIGKILL');
    }, CHECK_INTERVAL);
  }

  /** Asks the worker to finish what it is doing and waits until it has. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.restartTimer);
    const { child } = this;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    // One that is stopped, or stuck, does not hear it.
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    await ended;
    clearTimeout(limit);
  }
}
