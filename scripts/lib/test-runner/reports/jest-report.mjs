import { relative } from 'node:path';
import { createReport, shortenMessage } from './report.mjs';

/** Exit code of a process killed after it had written its results. */
const KILLED = 137;

/**
 * Converts Jest's `--json` output.
 * @param code its exit code
 * @param results the output, or null
 * @param projectRoot the project's folder
 * @returns a report (report.mjs)
 */
export function createJestReport(code, results, projectRoot) {
  const suites = (results?.testResults ?? []).map((suite) => ({ ...suite, path: relative(projectRoot, suite.name) }));
  const failedSuites = suites.filter(({ status }) => status === 'failed');
  const didHang = code === KILLED && results !== null;
  return createReport({
    code: didHang ? Number(!results.success) : code,
    flaky: didHang ? [{ name: 'Jest', lines: ["Jest didn't exit: a suite has left something open."] }] : [],
    failed: failedSuites.map(({ path }) => path),
    failures: failedSuites.flatMap((suite) => listFailures(suite, projectRoot)),
    times: suites.map(({ path, startTime, endTime }) => ({
      name: path,
      seconds: Math.max(0, endTime - startTime) / 1000,
    })),
    counts: {
      passed: results?.numPassedTests ?? 0,
      failed: (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0),
    },
  });
}

/** A suite that could not be loaded has its own message and no failed test. */
function listFailures({ path, message, assertionResults }, projectRoot) {
  const failedTests = assertionResults.filter(({ status }) => status === 'failed');
  if (failedTests.length === 0) return [{ name: path, lines: shortenMessage(message, projectRoot) }];
  return failedTests.map(({ fullName, failureMessages }) => ({
    name: `${path} › ${fullName}`,
    lines: shortenMessage(failureMessages[0] ?? 'no message', projectRoot),
  }));
}
