import Sequencer from '@jest/test-sequencer';

/**
 * Suites that mostly wait: for processes to start and exit, for timeouts, for an unresponsive database. Paths and path
 * prefixes, relative to the project's folder.
 */
export const waitBoundSuites = [
  'backend/test/process/',
  'backend/test/parts/job-',
  'scripts/test/',
  'backend/test/e2e/operations/',
  'backend/test/embedded/',
  'backend/test/e2e/campaigns/campaigns-crashes.spec.ts',
  'backend/test/e2e/billing/billing-checkout.spec.ts',
  'backend/test/e2e/files/tree/files-crash.spec.ts',
];

const findRank = (path) => waitBoundSuites.findIndex((prefix) => path.replaceAll('\\', '/').includes(`/${prefix}`));

/** Whether a suite mostly waits. */
export const isWaitBound = ({ path }) => findRank(path) >= 0;

/** Runs these suites first: at the end they would wait alone while the cores are idle. */
export default class WaitBoundFirstSequencer extends Sequencer {
  sort(tests) {
    const order = (test) => (isWaitBound(test) ? findRank(test.path) : waitBoundSuites.length);
    return super.sort(tests).toSorted((a, b) => order(a) - order(b));
  }
}
