import { mkdirSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { inProject, root } from '../project.mjs';
import { outputOf } from '../run.mjs';
import { runGroup } from './group.mjs';
import { jestReport } from './reports/jest-report.mjs';
import { readProgress, unfinishedSuites } from './progress.mjs';
import { readJson, report } from './reports/report.mjs';
import { tryAgain } from './try-again.mjs';

/** ESM suites outside `backend` need Jest's own loader; stack traces use source lines. */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--enable-source-maps'];

/** Jest's default output, and a record of which suites have started and finished. */
const reporters = ['--reporters=default', `--reporters=${inProject('scripts/lib/proof/progress.mjs')}`];

/**
 * Runs Jest.
 * @param node the Node.js that runs the product
 * @param args Jest's command line
 * @param options as for `runGroup`
 * @returns its exit code
 */
export const jest = (node, args, options) =>
  runGroup(node, [...flags, 'node_modules/jest/bin/jest.js', ...args], options);

/** The server's suites: those of the whole application, and those of parts of it. */
export const serverSuites = ['--selectProjects', 'backend', 'parts'];

/**
 * Runs the suites of some projects, then the failed ones once more, alone.
 * @param stage Jest writes its results to `test-results/<stage>.json`
 * @param projects `--selectProjects` with their names; empty for all
 * @param args further arguments for Jest in the first attempt
 * @param options.patience how long the process may take to exit after its last suite, in milliseconds
 * @param options.limit an AbortSignal that interrupts the suites
 * @returns a stage's report (report.mjs); after an interruption it lists suites that never started or finished
 */
export function suites(node, stage, projects, args = [], { patience, limit } = {}) {
  const tryOnce = async (name, asked) => {
    const file = inProject('test-results', `${name}.json`);
    const progress = inProject('test-results', `${name}-progress.txt`);
    mkdirSync(inProject('test-results'), { recursive: true });
    for (const old of [file, progress]) rmSync(old, { force: true });
    const env = { ...process.env, TEST_PROGRESS: progress };
    const code = await jest(node, [...projects, ...asked, ...reporters, '--json', `--outputFile=${file}`], {
      ...{ results: file, patience, limit, env },
    });
    const written = readJson(file);
    if (!limit?.aborted || written !== null) return jestReport(code, written, root);
    const chosen = await chosenSuites(node, [...projects, ...asked]);
    return report({ code: 1, failures: unfinishedSuites(chosen, readProgress(progress)) });
  };
  const alone = (failed) => tryOnce(`${stage}-again`, ['--maxWorkers=1', '--runTestsByPath', ...failed]);
  return tryOnce(stage, args).then((first) => (limit?.aborted ? first : tryAgain(stage, first, alone)));
}

/** The suites Jest runs with these arguments, as paths relative to the project's folder. */
async function chosenSuites(node, args) {
  const { output } = await outputOf(node, [...flags, 'node_modules/jest/bin/jest.js', ...args, '--listTests']);
  const paths = output.split('\n').filter((line) => /^(\/|[A-Z]:\\)/.test(line));
  return paths.map((path) => relative(root, path.trim()));
}
