import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, startProduct } from '../product.mjs';

/** What one fault is played in: folders and programs of its own, which are gone afterwards. */
export class FaultRoom {
  #folders = [];
  #endings = [];

  /** A new folder. */
  folder() {
    const made = mkdtempSync(join(tmpdir(), 'zonary-fault-'));
    this.#folders.push(made);
    return made;
  }

  /** Starts the product; see `startServer`. What it says of the fault would stand between the lines of the table. */
  async product(env) {
    const product = await startProduct(env, 'ignore');
    this.onClose(() => product.child.exitCode === null && product.child.signalCode === null && product.stop());
    return product;
  }

  /**
   * Starts the product where it must not start. @returns what it said before it ended, and the seconds until then; null
   * when it serves, and it is ended then
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

  /** Runs a command of the built product (`backup`, `restore`, `migrate`) to its end, or until `until` resolves: then it is killed. */
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

  /** Adds what is to be undone afterwards, before everything added so far. */
  onClose(undo) {
    this.#endings.push(undo);
  }

  async close() {
    for (const undo of this.#endings.reverse()) await undo();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds until `works` gives true, asked again and again; null when it does not within the limit. */
export async function secondsUntil(works, limit = 60) {
  const begun = performance.now();
  const passed = () => (performance.now() - begun) / 1000;
  while (passed() < limit) {
    if (await works()) return passed();
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return null;
}
