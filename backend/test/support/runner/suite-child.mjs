/**
 * Child process of `SuiteProcess`. Only the execution of a suite is taken from jest-light-runner; its package doesn't
 * export that module, hence the path.
 */
const LIGHT_RUNNER = '../../../../node_modules/jest-light-runner/src/worker-runner.js';

const send = (message) => process.connected && process.send(message);

process.on('message', async ({ suite, globalConfig, projectConfig }) => {
  try {
    const { default: runSuite, setWorkerData } = await import(LIGHT_RUNNER);
    setWorkerData({ globalConfig, projectConfig, runtime: 'child_process' });
    send({ suite, state: 'started' });
    send({ suite, state: 'finished', result: await runSuite(suite) });
  } catch (error) {
    send({ suite, state: 'finished', error: serializable(error) });
  }
});

// Also exits when Jest was killed; nothing else would end this process.
process.on('disconnect', () => process.exit());

function serializable(error) {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  return { message: error.message, stack: error.stack, name: error.name, code: error.code };
}
