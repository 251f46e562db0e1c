import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../../dist/backend/src/main.js');

/** What a process of its own takes over: where programs are, what V8 has compiled, and a clock that is moved. */
export function bareEnv(): Record<string, string> {
  const kept = ['PATH', 'NODE_COMPILE_CACHE', 'LD_PRELOAD', 'CLOCK_MOVED_BY'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The built product in a process of its own. */
export class Product {
  output = '';
  readonly exit: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.stdout!.on('data', (text) => (this.output += String(text)));
    child.stderr!.on('data', (text) => (this.output += String(text)));
    this.exit = once(child, 'close').then(([code]) => code as number | null);
  }

  /**
   * Starts it with these variables and none of the test's own, but for `bareEnv`.
   * @param program its entry, which may be a copy elsewhere
   */
  static start(env: Record<string, string>, program = main): Product {
    const child = spawn(process.execPath, [program], {
      env: { ...bareEnv(), NODE_ENV: 'production', LOG_LEVEL: 'silent', ROLE: 'web', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Product(child);
  }

  /** The address at which it says that it is ready. */
  ready(): Promise<string> {
    return this.printed(/Zonary is ready: (http:\S+)\s/);
  }

  /** The address at which it says that its mails are shown. */
  mailbox(): Promise<string> {
    return this.printed(/shown at (http:\S+)\s/);
  }

  /** Waits for what it prints, and gives the first group of the pattern. */
  async printed(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found[1] ?? found[0];
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.output}`);
      await new Promise((resume) => setTimeout(resume, 20));
    }
  }

  /** Ends it at once, as a power cut does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }
}
