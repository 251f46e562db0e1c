import { spawn } from 'node:child_process';
import { watchNpm } from './ancestors.mjs';
import { onWindows, root, say } from './project.mjs';
import { exitCodeOf } from './run.mjs';

/** Within this time two signals are one: Ctrl-C reaches us from the terminal, and once more from npm. */
export const ONE_SIGNAL_MS = 1_000;
const NPM_CHECK_MS = 500;

/**
 * Runs a long-lived program and sees that it ends in good order and only once.
 *
 * It gets a session of its own, so that Ctrl-C does not reach its processes one by one behind its back; we pass the
 * first signal on as SIGTERM, and a second Ctrl-C ends it at once. When we are killed it notices by the closed channel
 * (`process.on('disconnect')`), and when npm is killed we notice and stop it.
 * @returns its exit code
 */
export function launch(node, args, env = {}) {
  // Before the program starts: a signal that arrives without a listener would end us.
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

  /** To be called at once, before any listener can run. */
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
    // On Windows the console has told the child already, and a signal would be a kill.
    if (!onWindows) this.#child.kill('SIGTERM');
  }

  #askWithoutNpm() {
    if (this.#askedAt === null && this.#npmIsGone()) this.#ask();
  }
}
