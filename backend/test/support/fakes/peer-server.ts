import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { connectionToUrl } from '../../../src/platform/database/pool/database-connection.js';
import type { TestApp } from '../test-app.js';

const main = resolve(import.meta.dirname, '../../../../dist/backend/src/main.js');

/** A web process of the built product, with the same database, files and secret as the suite's application. */
export class PeerServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** @param maxFileSizeKib largest file the process can write, in KiB, which simulates a full disk */
  static async start(app: TestApp, maxFileSizeKib: number | 'unlimited' = 'unlimited'): Promise<PeerServer> {
    const { config, connection } = app;
    const child = spawn('bash', ['-c', `ulimit -f ${maxFileSizeKib}; exec "$0" "$@"`, process.execPath, main], {
      env: {
        ...process.env,
        ROLE: 'web',
        PORT: '0',
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'silent',
        APP_SECRET: config.appSecret,
        DATA_DIR: config.dataDir,
        STORAGE_URL: config.storageUrl,
        ...(config.storageApiUrl ? { STORAGE_API_URL: config.storageApiUrl } : {}),
        DATABASE_URL: connectionToUrl(connection),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((onReady, reject) => {
      // Keeps reading after the awaited line: a process whose stdout is closed fails at its next line.
      createInterface({ input: child.stdout! }).on('line', (line) => {
        const [, address] = /Zonary is ready: (\S+)/.exec(line) ?? [];
        if (address) onReady(address.replace('localhost', '127.0.0.1'));
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`The process ended (${code}) before it was ready.`)));
    });
    return new PeerServer(child, url);
  }

  /** Suspends it, as a paused container is, until `resume`. */
  suspend(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Kills it at once, like a power failure. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}
