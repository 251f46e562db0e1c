import { join, relative } from 'node:path';
import { createReport, createListFailure, shortenMessage } from './report.mjs';

/**
 * Converts the output of Playwright's `json` reporter.
 * @param code Playwright's exit code
 * @param results the output, or null
 * @param projectRoot the project's folder
 * @returns a report (report.mjs)
 */
export function createPlaywrightReport(code, results, projectRoot) {
  const specs = (results?.suites ?? []).flatMap(collectSpecs);
  const tests = specs.flatMap(({ file, title, tests: variants }) => {
    const path = relative(projectRoot, join(results.config.rootDir, file));
    return variants.map((test) => ({ ...test, path, name: `${path} › ${title}` }));
  });
  const namesOf = (condition) => tests.filter(condition).map(({ name }) => name);
  const failedTests = tests.filter(({ status }) => status === 'unexpected');
  return createReport({
    code,
    failed: [...new Set(failedTests.map(({ path }) => path))],
    failures: [
      ...(results?.errors ?? []).map((error) => toGlobalFailure(error, projectRoot)),
      ...failedTests.map((test) => toFailure(test, projectRoot)),
      ...createListFailure('not finished', namesOf(isInterrupted)),
      ...createListFailure('not started', namesOf(isNotStarted)),
    ],
    times: tests.map(({ name, results: attempts }) => ({
      name,
      seconds: sum(attempts.map(({ duration }) => duration)) / 1000,
    })),
    counts: { passed: tests.filter(({ status }) => status === 'expected').length, failed: failedTests.length },
  });
}

const isInterrupted = ({ results }) => results.at(-1)?.status === 'interrupted';

/** Not run because of an interruption; tests skipped on purpose expect that status. */
const isNotStarted = ({ results, expectedStatus }) => results.length === 0 && expectedStatus === 'passed';

const collectSpecs = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(collectSpecs)];

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function toFailure({ name, results }, projectRoot) {
  const last = results.at(-1);
  const error = last?.errors?.[0] ?? last?.error ?? { message: 'no message' };
  return { name, lines: formatError(error, last?.status, projectRoot) };
}

/** Errors outside the tests: the product did not start, or a test could not be loaded. */
const toGlobalFailure = (error, projectRoot) => ({ name: 'browser', lines: formatError(error, 'error', projectRoot) });

function formatError({ message, stack, location }, status, projectRoot) {
  const prefix = status === 'timedOut' ? 'timed out: ' : '';
  const suffix = location ? `\n    at ${location.file}:${location.line}:${location.column}` : '';
  return shortenMessage(`${prefix}${message ?? stack ?? 'no message'}${suffix}`, projectRoot);
}
