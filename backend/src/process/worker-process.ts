import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AppConfig } from '../platform/config/app-config.js';
import { connectionToUrl, type DatabaseConnection } from '../platform/database/connection.js';

/** Wait before a worker that ended by itself is started again, in milliseconds; doubled each time up to the limit. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** A worker that ran this long was healthy: the wait begins anew. */
const HEALTHY_AFTER = 60_000;

/** How a worker's Node is tuned, as in `scripts/lib/server-flags.mjs`, which says why; the last of a flag counts. */
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=10'];
const ENV = { MALLOC_ARENA_MAX: '1' };

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
    const startedAt = Date.now();
    const child = fork(process.argv[1]!, {
      execArgv: [...process.execArgv, ...FLAGS],
      env: {
        ...process.env,
        ...ENV,
        ROLE: 'worker',
        // As it was given: it may ask for TLS in ways that a connection put together anew would not.
        DATABASE_URL: this.config.databaseUrl ?? connectionToUrl(this.connection),
        APP_SECRET: this.config.appSecret,
        APP_URL: this.config.appUrl,
      },
    });
    this.child = child;
    child.on('exit', (code) => {
      this.child = null;
      if (this.stopped) return;
      if (Date.now() - startedAt > HEALTHY_AFTER) this.wait = FIRST_WAIT;
      process.stderr.write(`The worker ended (${code ?? 'killed'}); it starts again in ${this.wait} ms.\n`);
      this.restart = setTimeout(() => this.start(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }

  /** Asks the worker to finish what it is doing and waits until it has. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}
