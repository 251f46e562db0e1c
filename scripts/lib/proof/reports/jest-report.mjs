import { relative } from 'node:path';
import { reason, report } from './report.mjs';

/** Exit code of a process killed after it had written its results. */
const KILLED = 137;

/**
 * Reads Jest's `--json` output.
 * @param code its exit code
 * @param written the output, or null
 * @param root the project's folder
 * @returns a report (report.mjs)
 */
export function jestReport(code, written, root) {
  const ran = (written?.testResults ?? []).map((suite) => ({ ...suite, path: relative(root, suite.name) }));
  const bad = ran.filter(({ status }) => status === 'failed');
  const isStuck = code === KILLED && written !== null;
  return report({
    code: isStuck ? Number(!written.success) : code,
    unsteady: isStuck ? [{ where: 'Jest', lines: ['It did not end by itself: a suite has left something open.'] }] : [],
    failed: bad.map(({ path }) => path),
    failures: bad.flatMap((suite) => failuresOf(suite, root)),
    times: ran.map(({ path, startTime, endTime }) => ({
      name: path,
      seconds: Math.max(0, endTime - startTime) / 1000,
    })),
    counts: {
      passed: written?.numPassedTests ?? 0,
      failed: (written?.numFailedTests ?? 0) + (written?.numRuntimeErrorTestSuites ?? 0),
    },
  });
}

/** A suite that could not be loaded has its own message and no failed test. */
function failuresOf({ path, message, assertionResults }, root) {
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [{ where: path, lines: reason(message, root) }];
  return tests.map(({ fullName, failureMessages }) => ({
    where: `${path} › ${fullName}`,
    lines: reason(failureMessages[0] ?? 'no message', root),
  }));
}
