import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AppConfig } from '../platform/config/app-config.js';
import { connectionToUrl, type DatabaseConnection } from '../platform/database/pool/connection.js';

/** Wait before a worker that ended by itself is started again, in milliseconds; doubled each time up to the limit. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** A worker that ran this long was healthy: the wait begins anew. */
const HEALTHY_AFTER = 60_000;

/** How a worker's Node is tuned, as in `scripts/lib/server-flags.mjs`, which says why; the last of a flag counts. */
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=10'];
const ENV = { MALLOC_ARENA_MAX: '1' };

/** How often the parent looks whether its worker has told that it lives, in milliseconds. */
const LOOK = 1000;
/** How long a worker may take to stop, in milliseconds: longer than its own limit. */
const STOP_PATIENCE = 25_000;
/** How long a worker may take to start before it has told anything, in milliseconds. */
const START_PATIENCE = 60_000;

/** Lets the parent of this worker know that it works. Nothing is told to nobody. */
export function tellParent(): void {
  if (process.connected) process.send?.('alive');
}

/**
 * What the worker's process is given: what this one was given, and what only this one knows. Nothing else that this one has
 * worked out: the worker would take it for a variable, which wins over what is set in the page, and never see a change.
 */
export function workerEnv(given: NodeJS.ProcessEnv, config: AppConfig, connection: DatabaseConnection) {
  return {
    ...given,
    ...ENV,
    ROLE: 'worker',
    // As it was given: it may ask for TLS in ways that a connection put together anew would not.
    DATABASE_URL: config.databaseUrl ?? connectionToUrl(connection),
    APP_SECRET: config.appSecret,
  };
}

/** The worker of `ROLE=all`: a child with its own event loop, on the parent's database. */
export class WorkerProcess {
  private child: ChildProcess | null = null;
  private restart: NodeJS.Timeout | undefined;
  private wait = FIRST_WAIT;
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly connection: DatabaseConnection,
  ) {}

  start(): void {
    const startedAt = performance.now();
    const child = fork(process.argv[1]!, {
      execArgv: [...process.execArgv, ...FLAGS],
      env: workerEnv(process.env, this.config, this.connection),
    });
    this.child = child;
    const watch = this.watch(child);
    child.on('exit', (code) => {
      clearInterval(watch);
      this.child = null;
      if (this.stopped) return;
      if (performance.now() - startedAt > HEALTHY_AFTER) this.wait = FIRST_WAIT;
      process.stderr.write(`The worker ended (${code ?? 'killed'}). It restarts in ${this.wait} ms.\n`);
      this.restart = setTimeout(() => this.start(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }

  /** Ends a worker that gives no sign of life: stopped, or stuck in something that never ends. Another follows. */
  private watch(child: ChildProcess): NodeJS.Timeout {
    let patience = START_PATIENCE;
    let silence = 0;
    let lookedAt = performance.now();
    child.on('message', () => {
      silence = 0;
      patience = this.config.workerPatience;
    });
    return setInterval(() => {
      const now = performance.now();
      // Where this process stood still itself, what the worker told meanwhile is read only after this.
      silence += Math.min(now - lookedAt, 2 * LOOK);
      lookedAt = now;
      if (silence < patience || this.stopped) return;
      process.stderr.write("The worker doesn't respond and is being stopped.\n");
      child.kill('SIGKILL');
    }, LOOK);
  }

  /** Asks the worker to finish what it is doing and waits until it has. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    // One that is stopped, or stuck, does not hear it.
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE);
    await ended;
    clearTimeout(limit);
  }
}
