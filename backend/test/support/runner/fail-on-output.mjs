import { addEventHandler } from 'jest-circus';
import { failOnOutput } from '../../../../scripts/lib/fail-on-output.cjs';

/** This runner ignores `afterEach` in setup files. */
addEventHandler((event, state) => {
  if (event.name !== 'add_test') return;
  const test = state.currentDescribeBlock.children.at(-1);
  const { fn } = test;
  if (!fn) return;
  test.fn = async () => {
    await fn();
    failOnOutput();
  };
});
