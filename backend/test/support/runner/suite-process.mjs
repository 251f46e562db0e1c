import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CHILD_PROGRAM = join(import.meta.dirname, 'suite-child.mjs');
/** How long a child may take to exit before it is killed, in milliseconds. */
const EXIT_TIMEOUT_MS = 10_000;

/** A child process that runs one suite at a time. */
export class SuiteProcess {
  #child;
  #config;
  #exited;

  /** @param config `{globalConfig, projectConfig}` of Jest */
  constructor(config) {
    this.#config = config;
    this.#child = fork(CHILD_PROGRAM);
    this.#exited = once(this.#child, 'exit');
  }

  get isAlive() {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Runs a suite.
   * @param path its file
   * @param onStart called when the child starts loading it
   * @returns Jest's result of the suite
   * @throws what the suite threw while loading, or an error that says how the process ended
   */
  async run(path, onStart) {
    const response = this.#waitForResult(path, onStart);
    // The error of sending to a dead child is ignored; its exit rejects the response.
    this.#child.send({ suite: path, ...this.#config }, () => undefined);
    const { result, error } = await response;
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }

  /** Stops the process: it exits when its channel closes. */
  async stop() {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #waitForResult(path, onStart) {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      let started;
      const settle = (action, value) => {
        child.off('message', onMessage).off('exit', onExit);
        // Jest expects the start event before the result.
        Promise.resolve(started).then(() => action(value), reject);
      };
      // The product may send its own messages to its parent process.
      const onMessage = (message) => {
        if (message?.suite !== path) return;
        if (message.state === 'started') started = onStart();
        else settle(resolve, message);
      };
      const onExit = (code, signal) =>
        settle(reject, new Error(`The process that ran this suite ended (${signal ?? `exit code ${code}`}).`));
      child.on('message', onMessage).on('exit', onExit);
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    });
  }
}
