import { spawn } from 'node:child_process';
import { watchNpm } from './ancestors.mjs';
import { onWindows, root, say } from './project.mjs';
import { exitCodeOf } from './run.mjs';

/** Two signals within this time count as one: Ctrl-C arrives from the terminal and again from npm. */
export const ONE_SIGNAL_MS = 1_000;
const NPM_CHECK_MS = 500;

/**
 * Runs a long-lived program and makes sure that it shuts down cleanly and only once. The program gets its own session,
 * so that Ctrl-C doesn't reach its child processes directly. The first signal is passed on as SIGTERM; a second Ctrl-C
 * kills it. If this process is killed, the program notices the closed channel (`process.on('disconnect')`); if npm is
 * killed, we notice and stop the program.
 * @returns its exit code
 */
export function launch(node, args, env = {}) {
  // Before the program starts, because a signal without a listener would end this process.
  const stopper = new Stopper();
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: !onWindows,
  });
  stopper.watch(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  }).finally(() => stopper.release());
}

class Stopper {
  #child;
  #askedAt = null;
  #npmIsGone = watchNpm();
  #check = setInterval(() => this.#askWithoutNpm(), NPM_CHECK_MS);
  #listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => this.#on(signal)]);

  constructor() {
    this.#check.unref();
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
  }

  /** Must be called immediately, before any listener can run. */
  watch(child) {
    this.#child = child;
  }

  release() {
    clearInterval(this.#check);
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #on(signal) {
    if (this.#askedAt === null) this.#ask();
    else if (signal === 'SIGINT' && performance.now() - this.#askedAt > ONE_SIGNAL_MS) this.#child.kill('SIGKILL');
  }

  #ask() {
    this.#askedAt = performance.now();
    say('stopping …');
    // On Windows the console has notified the child already, and a signal would kill it.
    if (!onWindows) this.#child.kill('SIGTERM');
  }

  #askWithoutNpm() {
    if (this.#askedAt === null && this.#npmIsGone()) this.#ask();
  }
}
