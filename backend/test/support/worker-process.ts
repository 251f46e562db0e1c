import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import type { TestApp } from './test-app.js';

const main = resolve(import.meta.dirname, '../../../dist/backend/src/main.js');

/** A worker process of the built product, on the database of the test's application. */
export class WorkerProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** @param env additional variables, such as the mail server */
  static start({ config, connection, clock }: TestApp, env: Record<string, string>): WorkerProcess {
    clock.assertRealTime();
    if (!existsSync(main)) throw new Error(`${main} is missing. Run the tests with "npm test", which builds it first.`);
    const child = spawn(process.execPath, [main], {
      env: {
        ...process.env,
        ROLE: 'worker',
        NODE_ENV: 'production',
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
        DATABASE_URL: connectionToUrl(connection),
        DATA_DIR: config.dataDir,
        APP_SECRET: config.appSecret,
        APP_URL: config.appUrl,
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return new WorkerProcess(child);
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills it, like a crash. */
  async kill(): Promise<void> {
    await this.terminate('SIGKILL');
  }

  /**
   * Stops it gracefully.
   * @returns its exit code
   */
  async stop(): Promise<number | null> {
    await this.terminate('SIGTERM');
    return this.child.exitCode;
  }

  private async terminate(signal: NodeJS.Signals): Promise<void> {
    if (!this.isAlive) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}
