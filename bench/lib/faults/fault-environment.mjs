import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, startProduct } from '../product.mjs';

/** Environment of one fault: folders and processes, which are cleaned up afterwards. */
export class FaultRoom {
  #folders = [];
  #endings = [];

  /** Creates a folder. */
  folder() {
    const made = mkdtempSync(join(tmpdir(), 'zonary-fault-'));
    this.#folders.push(made);
    return made;
  }

  /** Starts the product; see `startProduct`. Its stderr is hidden, because it would break the table. */
  async product(env) {
    const product = await startProduct(env, 'ignore');
    this.onClose(() => product.child.exitCode === null && product.child.signalCode === null && product.stop());
    return product;
  }

  /**
   * Starts the product in a case in which it must refuse.
   * @returns its output and the seconds until it exited; null if it started, and it is then stopped
   */
  async refusedStart(env) {
    const begun = performance.now();
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
    return code === 1 ? { output, seconds: (performance.now() - begun) / 1000 } : null;
  }

  /**
   * Runs a command of the built product (`backup`, `restore`, `migrate`) until it exits, or kills it when `until`
   * resolves.
   */
  async command(name, args, env, until = null) {
    const program = join(root, `dist/backend/src/cli/${name}.js`);
    const child = spawn(process.execPath, [program, ...args], { cwd: root, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = once(child, 'exit');
    void until?.then(() => child.kill('SIGKILL'));
    const [code] = await ended;
    return { code, output };
  }

  /** Adds a cleanup, run before all earlier ones. */
  onClose(undo) {
    this.#endings.push(undo);
  }

  async close() {
    for (const undo of this.#endings.reverse()) await undo();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Polls `works` and returns the seconds until it returns true; null after the limit. */
export async function secondsUntil(works, limit = 60) {
  const begun = performance.now();
  const passed = () => (performance.now() - begun) / 1000;
  while (passed() < limit) {
    if (await works()) return passed();
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return null;
}
