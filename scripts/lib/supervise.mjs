import { spawn } from 'node:child_process';
import { createNpmExitCheck } from './npm-exit.mjs';
import { isWindows, projectRoot, log } from './project.mjs';
import { toExitCode } from './run.mjs';

/** Two signals within this time count as one: Ctrl-C arrives from the terminal and again from npm. */
export const DUPLICATE_SIGNAL_MS = 1_000;
const NPM_CHECK_MS = 500;

/**
 * Runs a long-lived program and makes sure that it shuts down cleanly and only once. The program gets its own session,
 * so that Ctrl-C doesn't reach its child processes directly. The first signal is passed on as SIGTERM; a second Ctrl-C
 * kills it. If this process is killed, the program notices the closed channel (`process.on('disconnect')`); if npm is
 * killed, we notice and stop the program.
 * @returns its exit code
 */
export function supervise(node, args, env = {}) {
  // Before the program starts, because a signal without a listener would end this process.
  const shutdown = new ShutdownHandler();
  const child = spawn(node, args, {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: !isWindows,
  });
  shutdown.attach(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(toExitCode(code, signal)));
  }).finally(() => shutdown.removeListeners());
}

class ShutdownHandler {
  #child;
  #stopRequestedAt = null;
  #hasNpmExited = createNpmExitCheck();
  #npmCheckTimer = setInterval(() => this.#stopIfNpmExited(), NPM_CHECK_MS);
  #listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => this.#handleSignal(signal)]);

  constructor() {
    this.#npmCheckTimer.unref();
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
  }

  /** Must be called immediately, before any listener can run. */
  attach(child) {
    this.#child = child;
  }

  removeListeners() {
    clearInterval(this.#npmCheckTimer);
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #handleSignal(signal) {
    if (this.#stopRequestedAt === null) this.#requestStop();
    else if (signal === 'SIGINT' && performance.now() - this.#stopRequestedAt > DUPLICATE_SIGNAL_MS)
      this.#child.kill('SIGKILL');
  }

  #requestStop() {
    this.#stopRequestedAt = performance.now();
    log('stopping …');
    // On Windows the console has notified the child already, and a signal would kill it.
    if (!isWindows) this.#child.kill('SIGTERM');
  }

  #stopIfNpmExited() {
    if (this.#stopRequestedAt === null && this.#hasNpmExited()) this.#requestStop();
  }
}
