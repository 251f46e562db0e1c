import { addEventHandler } from 'jest-circus';

/** Default timeout of a test or hook, in milliseconds. */
const DEFAULT_TIMEOUT = 240_000;

/** This runner has no default timeout, so a test that hangs would block all that follow. */
addEventHandler((event, state) => {
  if (event.name === 'add_hook') addTimeout(state.currentDescribeBlock.hooks.at(-1));
  if (event.name === 'add_test') addTimeout(state.currentDescribeBlock.children.at(-1));
});

function addTimeout(testOrHook) {
  const { fn, timeout = DEFAULT_TIMEOUT } = testOrHook;
  if (!fn) return;
  const error = new Error(`Timed out after ${timeout} ms: ${testOrHook.name ?? testOrHook.type}`);
  testOrHook.fn = async () => {
    let timer;
    const timedOut = new Promise((_, reject) => {
      timer = setTimeout(() => reject(error), timeout);
    });
    try {
      await Promise.race([fn(), timedOut]);
    } finally {
      clearTimeout(timer);
    }
  };
}
