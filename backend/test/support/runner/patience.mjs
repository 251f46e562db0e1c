import { addEventHandler } from 'jest-circus';

/** Default timeout of a test or hook, in milliseconds. */
const PATIENCE = 240_000;

/** This runner has no default timeout, so a test that hangs would block all that follow. */
addEventHandler((event, state) => {
  if (event.name === 'add_hook') limit(state.currentDescribeBlock.hooks.at(-1));
  if (event.name === 'add_test') limit(state.currentDescribeBlock.children.at(-1));
});

function limit(work) {
  const { fn, timeout = PATIENCE } = work;
  if (!fn) return;
  const late = new Error(`Took longer than ${timeout} ms: ${work.name ?? work.type}`);
  work.fn = async () => {
    let timer;
    const end = new Promise((_, reject) => {
      timer = setTimeout(() => reject(late), timeout);
    });
    try {
      await Promise.race([fn(), end]);
    } finally {
      clearTimeout(timer);
    }
  };
}
