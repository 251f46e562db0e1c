import { mkdirSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { projectPath, projectRoot } from '../project.mjs';
import { captureOutput } from '../run.mjs';
import { runProcessGroup } from './process-group.mjs';
import { createJestReport } from './reports/jest-report.mjs';
import { listUnfinishedSuites, readProgress } from './progress-reporter.mjs';
import { createReport, readJson } from './reports/report.mjs';
import { retryFailed } from './retry.mjs';

/**
 * ESM suites outside `backend` need Jest's own loader; stack traces use source lines. By default, V8 marks the whole
 * heap whenever buffers of 64 MB were allocated, which took suites of uploads a quarter of their CPU time.
 */
const nodeFlags = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--enable-source-maps',
  '--external-memory-accounted-in-global-limit',
];

/** Jest's default output, and a record of which suites have started and finished. */
const reporters = [
  '--reporters=default',
  `--reporters=${projectPath('scripts/lib/test-runner/progress-reporter.mjs')}`,
];

/**
 * Runs Jest.
 * @param node the Node.js that runs the product
 * @param args Jest's command line
 * @param options as for `runProcessGroup`
 * @returns its exit code
 */
export const runJest = (node, args, options) =>
  runProcessGroup(node, [...nodeFlags, 'node_modules/jest/bin/jest.js', ...args], options);

/** Selects the server's suites: those of the whole application, and those of parts of it. */
export const serverProjects = ['--selectProjects', 'backend', 'parts'];

/**
 * Runs the suites of some projects, then the failed ones once more, alone.
 * @param stage Jest writes its results to `test-results/<stage>.json`
 * @param projects `--selectProjects` with their names; empty for all
 * @param args further arguments for Jest in the first attempt
 * @param options.exitTimeout how long the process may take to exit after its last suite, in milliseconds
 * @param options.abortSignal an AbortSignal that interrupts the suites
 * @returns a stage's report (report.mjs); after an interruption it lists suites that did not start or finish
 */
export function runSuites(node, stage, projects, args = [], { exitTimeout, abortSignal } = {}) {
  const runOnce = async (name, attemptArgs) => {
    const resultsFile = projectPath('test-results', `${name}.json`);
    const progressFile = projectPath('test-results', `${name}-progress.txt`);
    mkdirSync(projectPath('test-results'), { recursive: true });
    for (const oldFile of [resultsFile, progressFile]) rmSync(oldFile, { force: true });
    const env = { ...process.env, TEST_PROGRESS: progressFile };
    const code = await runJest(
      node,
      [...projects, ...attemptArgs, ...reporters, '--json', `--outputFile=${resultsFile}`],
      { resultsFile, exitTimeout, abortSignal, env },
    );
    const results = readJson(resultsFile);
    if (!abortSignal?.aborted || results !== null) return createJestReport(code, results, projectRoot);
    const suites = await listSuites(node, [...projects, ...attemptArgs]);
    return createReport({ code: 1, failures: listUnfinishedSuites(suites, readProgress(progressFile)) });
  };
  const runAlone = (failed) => runOnce(`${stage}-retry`, ['--maxWorkers=1', '--runTestsByPath', ...failed]);
  return runOnce(stage, args).then((first) => (abortSignal?.aborted ? first : retryFailed(stage, first, runAlone)));
}

/** The suites Jest runs with these arguments, as paths relative to the project's folder. */
async function listSuites(node, args) {
  const { output } = await captureOutput(node, [...nodeFlags, 'node_modules/jest/bin/jest.js', ...args, '--listTests']);
  const paths = output.split('\n').filter((line) => /^(\/|[A-Z]:\\)/.test(line));
  return paths.map((path) => relative(projectRoot, path.trim()));
}
