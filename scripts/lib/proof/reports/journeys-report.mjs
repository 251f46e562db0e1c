import { join, relative } from 'node:path';
import { named } from '../progress.mjs';
import { reason, report } from './report.mjs';

/**
 * Reads the output of Playwright's `json` reporter.
 * @param code Playwright's exit code
 * @param written the output, or null
 * @param root the project's folder
 * @returns a report (report.mjs)
 */
export function journeysReport(code, written, root) {
  const specs = (written?.suites ?? []).flatMap(specsOf);
  const tests = specs.flatMap(({ file, title, tests: all }) => {
    const path = relative(root, join(written.config.rootDir, file));
    return all.map((test) => ({ ...test, path, where: `${path} › ${title}` }));
  });
  const inState = (test) => tests.filter(test).map(({ where }) => where);
  const bad = tests.filter(({ status }) => status === 'unexpected');
  return report({
    code,
    failed: [...new Set(bad.map(({ path }) => path))],
    failures: [
      ...(written?.errors ?? []).map((error) => beside(error, root)),
      ...bad.map((one) => failure(one, root)),
      ...named('never ended', inState(isInterrupted)),
      ...named('never began', inState(isUnrun)),
    ],
    times: tests.map(({ where, results }) => ({
      name: where,
      seconds: sum(results.map((one) => one.duration)) / 1000,
    })),
    counts: { passed: tests.filter(({ status }) => status === 'expected').length, failed: bad.length },
  });
}

const isInterrupted = ({ results }) => results.at(-1)?.status === 'interrupted';

/** Not run because of an interruption; tests skipped on purpose expect that status. */
const isUnrun = ({ results, expectedStatus }) => results.length === 0 && expectedStatus === 'passed';

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

function failure({ where, results }, root) {
  const last = results.at(-1);
  return { where, lines: lines(last?.errors?.[0] ?? last?.error ?? { message: 'no message' }, last?.status, root) };
}

/** Errors outside the tests: the product did not start, or a test could not be loaded. */
const beside = (error, root) => ({ where: 'browser', lines: lines(error, 'error', root) });

function lines({ message, stack, location }, status, root) {
  const late = status === 'timedOut' ? 'timed out: ' : '';
  const at = location ? `\n    at ${location.file}:${location.line}:${location.column}` : '';
  return reason(`${late}${message ?? stack ?? 'no message'}${at}`, root);
}
