import { addEventHandler } from 'jest-circus';

/** How long a test or a hook may take unless it says otherwise, in milliseconds. */
const PATIENCE = 240_000;

/** The runner of these suites has no patience of its own: what never ends would hold up all that follow. */
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
