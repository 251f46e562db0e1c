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

/**
 * Runs these suites first: beside other suites they cost nothing, and at the end they would wait alone while the cores
 * are idle.
 */
export default class WaitBoundFirstSequencer extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = waitBoundSuites.findIndex((prefix) => path.replaceAll('\\', '/').includes(`/${prefix}`));
      return index < 0 ? waitBoundSuites.length : index;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
