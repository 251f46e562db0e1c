import { isWaitBound } from '../../../../scripts/lib/test-runner/sequencer.mjs';
import { SuiteProcess } from './suite-process.mjs';

/**
 * A Jest runner that runs suites in child processes, each of which loads the product once (ADR 0046). Replaces the
 * process pool of jest-light-runner, whose children request their configuration: the response to one child reached all
 * of them, and a child that was still loading dropped it and waited forever. Here every request contains the
 * configuration.
 */
export default class SuiteRunner {
  #globalConfig;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  /** Implements Jest's `CallbackTestRunner`. */
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    for (const [projectConfig, group] of Map.groupBy(tests, ({ context }) => context.config)) {
      const { waiting = [], computing = [] } = Object.groupBy(group, (test) =>
        isWaitBound(test) ? 'waiting' : 'computing',
      );
      const config = { globalConfig: this.#globalConfig, projectConfig };
      const processCount = Math.min(this.#globalConfig.maxWorkers, group.length);
      // Half of the processes prefer suites that mostly wait. If all ran those first, the cores would be idle then.
      const runProcess = (_, index) =>
        runQueues(index % 2 === 0 ? [computing, waiting] : [waiting, computing], config, watcher, {
          onStart,
          onResult,
          onFailure,
        });
      await Promise.all(Array.from({ length: processCount }, runProcess));
    }
  }
}

/**
 * Runs suites sequentially in one process, those of the first queue before those of the second; replaces a process that
 * died.
 */
async function runQueues([first, second], config, watcher, { onStart, onResult, onFailure }) {
  let child = null;
  while (first.length + second.length > 0 && !watcher.isInterrupted()) {
    const test = first.shift() ?? second.shift();
    if (!child?.isAlive) child = new SuiteProcess(config);
    const outcome = await child
      .run(test.path, () => onStart(test))
      .then(
        (result) => ({ result }),
        (error) => ({ error }),
      );
    if (outcome.error) await onFailure(test, outcome.error);
    else await onResult(test, outcome.result);
  }
  await child?.stop();
}
