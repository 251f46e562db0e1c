import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, startProduct } from '../product.mjs';

/** Environment of one fault: folders and processes, which are cleaned up afterwards. */
export class FaultEnvironment {
  #folders = [];
  #cleanups = [];

  /** Creates a temporary folder. */
  createFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-fault-'));
    this.#folders.push(folder);
    return folder;
  }

  /** Starts the product like `startProduct` of `product.mjs`. Its stderr is hidden, because it would break the table. */
  async startProduct(env) {
    const product = await startProduct(env, 'ignore');
    this.onClose(() => product.child.exitCode === null && product.child.signalCode === null && product.stop());
    return product;
  }

  /**
   * Starts the product in a case in which it must refuse to start.
   * @returns its output and the seconds until it exited; null if it started, and it is then killed
   */
  async expectFailedStart(env) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(root, 'dist/backend/src/main.js')], {
      cwd: root,
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', NODE_ENV: 'production', ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (/Zonary is ready/.test(output)) child.kill('SIGKILL');
      });
    }
    const [code] = await once(child, 'close');
    return code === 1 ? { output, seconds: (performance.now() - startedAt) / 1000 } : null;
  }

  /**
   * Runs a command of the built product (`backup`, `restore`, `migrate`) until it exits, or kills it when
   * `killWhen` resolves.
   */
  async runCommand(name, args, env, killWhen = null) {
    const program = join(root, `dist/backend/src/cli/${name}.js`);
    const child = spawn(process.execPath, [program, ...args], { cwd: root, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const exited = once(child, 'exit');
    void killWhen?.then(() => child.kill('SIGKILL'));
    const [code] = await exited;
    return { code, output };
  }

  /** Adds a cleanup, run before all earlier ones. */
  onClose(cleanUp) {
    this.#cleanups.push(cleanUp);
  }

  async close() {
    for (const cleanUp of this.#cleanups.reverse()) await cleanUp();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Polls `condition` and returns the seconds until it returns true; null after the timeout. */
export async function secondsUntil(condition, timeoutSeconds = 60) {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  while (elapsed() < timeoutSeconds) {
    if (await condition()) return elapsed();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}
