import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AppConfig } from '../platform/config/app-config.js';
import { connectionToUrl, type DatabaseConnection } from '../platform/database/pool/database-connection.js';

/** Delay before a crashed worker is restarted, in milliseconds; doubled each time up to the maximum. */
const FIRST_RESTART_DELAY = 500;
const MAX_RESTART_DELAY = 30_000;
/** After running this long, in milliseconds, a worker counts as healthy and the delay is reset. */
const HEALTHY_AFTER = 60_000;

/**
 * Node.js flags of the worker; `scripts/lib/server-flags.mjs` has the same with the reasons. The last occurrence of a
 * flag applies.
 */
const NODE_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=10'];
const WORKER_ENV = { MALLOC_ARENA_MAX: '1' };
/** Variables for web processes only (docs/operations/scaling.md), which would slow down a worker. */
const WEB_ONLY_VARIABLES = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

/** How often the parent checks for heartbeats of its worker, in milliseconds. */
const CHECK_INTERVAL = 1000;
/** How long a worker may take to stop, in milliseconds; longer than its own timeout. */
const STOP_TIMEOUT = 25_000;
/** How long a worker may take until its first heartbeat, in milliseconds. */
const START_TIMEOUT = 60_000;

/** Sends a heartbeat to the parent, if there is one. */
export function sendHeartbeatToParent(): void {
  if (process.connected) process.send?.('alive');
}

/**
 * Returns the worker's environment: that of this process, and what only this process knows. No other derived values:
 * the worker would take them for variables, which override the settings in the app, and would miss changes.
 */
export function workerEnv(parentEnv: NodeJS.ProcessEnv, config: AppConfig, connection: DatabaseConnection) {
  const inherited = Object.entries(parentEnv).filter(([name]) => !WEB_ONLY_VARIABLES.includes(name));
  return {
    ...Object.fromEntries(inherited),
    ...WORKER_ENV,
    ROLE: 'worker',
    // Passed unchanged, because it may contain TLS options that a rebuilt URL would lose.
    DATABASE_URL: config.databaseUrl ?? connectionToUrl(connection),
    APP_SECRET: config.appSecret,
  };
}

/** The worker of `ROLE=all`: a child process with its own event loop, using the parent's database. */
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

  /** Kills a worker without heartbeats (suspended, or stuck in an endless operation). It is then restarted. */
  private watchHeartbeat(child: ChildProcess): NodeJS.Timeout {
    let timeout = START_TIMEOUT;
    let elapsedSinceHeartbeat = 0;
    let checkedAt = performance.now();
    child.on('message', () => {
      elapsedSinceHeartbeat = 0;
      timeout = this.config.workerTimeout;
    });
    return setInterval(() => {
      const now = performance.now();
      // If this process itself was stalled, heartbeats from that time are only read afterwards, so the stall isn't
      // counted in full.
      elapsedSinceHeartbeat += Math.min(now - checkedAt, 2 * CHECK_INTERVAL);
      checkedAt = now;
      if (elapsedSinceHeartbeat < timeout || this.isStopped) return;
      process.stderr.write("The worker doesn't respond and is being stopped.\n");
      child.kill('SIGKILL');
    }, CHECK_INTERVAL);
  }

  /** Asks the worker to finish its running jobs, and waits for it to exit. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.restartTimer);
    const { child } = this;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    // A suspended or stuck worker doesn't react.
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    await ended;
    clearTimeout(limit);
  }
}
