import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from './reserve-port.js';

/**
 * The environment without LD_PRELOAD: redis-server doesn't start under the library that shifts the clock
 * (`npm run test:clock-shift`).
 */
const { LD_PRELOAD: _ldPreload, ...env } = process.env;
const isInstalled = spawnSync('redis-server', ['--version'], { env }).status === 0;

/** For suites that need Redis: skipped without a `redis-server` on the PATH, unless `REQUIRE_SERVICES=1` is set. */
export const describeWithRedis = isInstalled || process.env.REQUIRE_SERVICES === '1' ? describe : describe.skip;

/** A Redis server of one suite, on its own port, without persistence. */
export class RedisServer {
  private child: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), 'zonary-redis-'));

  private constructor(private readonly port: number) {}

  static async start(): Promise<RedisServer> {
    if (!isInstalled) throw new Error('redis-server is not on the PATH, but REQUIRE_SERVICES=1 requires it.');
    const server = new RedisServer(await reservePort());
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again, empty. */
  async restart(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', [...args, '--dir', this.folder], { stdio: 'ignore', env });
    for (const deadline = Date.now() + 10_000; ;) {
      if (await this.sendCommand('PING').catch(() => false)) return;
      if (Date.now() > deadline) throw new Error("redis-server doesn't respond.");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Kills it, like a crash. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Deletes all keys. */
  async flush(): Promise<void> {
    await this.sendCommand('FLUSHALL');
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private sendCommand(command: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${command}\r\n`));
      socket.once('data', (response) => {
        socket.destroy();
        resolve(response.toString().startsWith('+'));
      });
      socket.once('error', reject);
    });
  }
}
