import Sequencer from '@jest/test-sequencer';

/**
 * Suites that wait most of their time: for processes that start and die, for limits of time, for a database that says
 * nothing. Paths and beginnings of paths, from the project's folder.
 */
export const waiting = [
  'backend/test/process/',
  'backend/test/parts/job-',
  'scripts/test/',
  'backend/test/e2e/operations/',
  'backend/test/embedded/',
  'backend/test/e2e/campaigns/campaigns-crashes.spec.ts',
  'backend/test/e2e/billing/billing-checkout.spec.ts',
  'backend/test/e2e/files/tree/files-crash.spec.ts',
];

/** They come first: beside others they cost nothing, and at the end they would wait alone while the cores are idle. */
export default class WaitingFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = waiting.findIndex((part) => path.replaceAll('\\', '/').includes(`/${part}`));
      return at < 0 ? waiting.length : at;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
