import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../../dist/backend/src/main.js');

/** What a process of its own takes over: where programs are, what V8 has compiled, and a clock that is moved. */
export function minimalEnv(): Record<string, string> {
  const inherited = ['PATH', 'NODE_COMPILE_CACHE', 'LD_PRELOAD', 'CLOCK_MOVED_BY'];
  return Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The built product in a process of its own. */
export class ServerProcess {
  output = '';
  readonly exitCode: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout!.on('data', (text) => (this.output += String(text)));
    child.stderr!.on('data', (text) => (this.output += String(text)));
    this.exitCode = once(child, 'close').then(([code]) => code as number | null);
  }

  /**
   * Starts it with these variables and none of the test's own, but for `minimalEnv`.
   * @param program its entry, which may be a copy elsewhere
   */
  static start(env: Record<string, string>, program = main): ServerProcess {
    const child = spawn(process.execPath, [program], {
      env: { ...minimalEnv(), NODE_ENV: 'production', LOG_LEVEL: 'silent', ROLE: 'web', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServerProcess(child);
  }

  /** The address at which it says that it is ready. */
  waitUntilReady(): Promise<string> {
    return this.waitForOutput(/Zonary is ready: (http:\S+)\s/);
  }

  /** The address at which it says that its mails are shown. */
  waitForMailboxUrl(): Promise<string> {
    return this.waitForOutput(/shown at (http:\S+)\s/);
  }

  /** Waits for what it prints, and gives the first group of the pattern. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match[1] ?? match[0];
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.output}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Ends it at once, as a power cut does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exitCode;
  }
}
