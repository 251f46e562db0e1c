import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../../dist/backend/src/main.js');

/** Variables that a child process inherits: PATH, V8's compile cache, and a shifted clock. */
export function minimalEnv(): Record<string, string> {
  const inherited = ['PATH', 'NODE_COMPILE_CACHE', 'LD_PRELOAD', 'CLOCK_SHIFT_SECONDS'];
  return Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The built product in its own process. */
export class ServerProcess {
  output = '';
  readonly exitCode: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout!.on('data', (text) => (this.output += String(text)));
    child.stderr!.on('data', (text) => (this.output += String(text)));
    this.exitCode = once(child, 'close').then(([code]) => code as number | null);
  }

  /**
   * Starts it with these variables and, of the test's own, only `minimalEnv`.
   * @param program its entry point, which may be a copy elsewhere
   */
  static start(env: Record<string, string>, program = main): ServerProcess {
    const child = spawn(process.execPath, [program], {
      env: { ...minimalEnv(), NODE_ENV: 'production', LOG_LEVEL: 'silent', ROLE: 'web', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServerProcess(child);
  }

  /** Returns the URL it prints when ready. */
  waitUntilReady(): Promise<string> {
    return this.waitForOutput(/Zonary is ready: (http:\S+)\s/);
  }

  /** Returns the mailbox's URL it prints. */
  waitForMailboxUrl(): Promise<string> {
    return this.waitForOutput(/shown at (http:\S+)\s/);
  }

  /** Waits for a pattern in the output and returns its first group. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match[1] ?? match[0];
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.output}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Kills it at once, like a power failure. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exitCode;
  }
}
