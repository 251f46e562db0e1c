import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, 'suite-child.mjs');
/** How long a child may take to exit before it is killed, in milliseconds. */
const EXIT_PATIENCE = 10_000;

/** A child process that runs one suite at a time. */
export class SuiteProcess {
  #child;
  #config;
  #exited;

  /** @param config `{globalConfig, projectConfig}` of Jest */
  constructor(config) {
    this.#config = config;
    this.#child = fork(PROGRAM);
    this.#exited = once(this.#child, 'exit');
  }

  get isAlive() {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Runs a suite.
   * @param path its file
   * @param onBegin called when the child starts loading it
   * @returns Jest's result of the suite
   * @throws what the suite threw while loading, or an error that says how the process ended
   */
  async run(path, onBegin) {
    const answer = this.#answer(path, onBegin);
    // The error of sending to a dead child is ignored; its exit rejects the answer.
    this.#child.send({ suite: path, ...this.#config }, () => undefined);
    const { result, error } = await answer;
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }

  /** Ends the process: it exits when its channel closes. */
  async end() {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), EXIT_PATIENCE);
    await this.#exited;
    clearTimeout(timer);
  }

  #answer(path, onBegin) {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      let begun;
      const settle = (action, value) => {
        child.off('message', onMessage).off('exit', onExit);
        // Jest expects the start event before the end.
        Promise.resolve(begun).then(() => action(value), reject);
      };
      // The product may send its own messages to its parent process.
      const onMessage = (message) => {
        if (message?.suite !== path) return;
        if (message.state === 'begun') begun = onBegin();
        else settle(resolve, message);
      };
      const onExit = (code, signal) =>
        settle(reject, new Error(`The process that ran this suite ended (${signal ?? `exit code ${code}`}).`));
      child.on('message', onMessage).on('exit', onExit);
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    });
  }
}
