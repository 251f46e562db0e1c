import { mkdirSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { inProject, root } from '../project.mjs';
import { outputOf } from '../run.mjs';
import { runGroup } from './group.mjs';
import { jestReport } from './reports/jest-report.mjs';
import { readProgress, unfinishedSuites } from './progress.mjs';
import { readJson, report } from './reports/report.mjs';
import { tryAgain } from './try-again.mjs';

/** Suites outside of `backend` that are native modules need Jest's own loader; stacks name the lines of the sources. */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--enable-source-maps'];

/** Jest's usual output, and beside it a record of which suites have begun and ended. */
const reporters = ['--reporters=default', `--reporters=${inProject('scripts/lib/proof/progress.mjs')}`];

/**
 * Runs Jest.
 * @param node the Node.js that the product runs on
 * @param args as Jest's command line takes them
 * @param options as of `runGroup`
 * @returns its exit code
 */
export const jest = (node, args, options) =>
  runGroup(node, [...flags, 'node_modules/jest/bin/jest.js', ...args], options);

/** The suites of the server: those of the whole, and those that put together a part of it. */
export const serverSuites = ['--selectProjects', 'backend', 'parts'];

/**
 * Runs the suites of some projects, then those that failed once more, alone.
 * @param stage Jest writes what came of it to `test-results/<stage>.json`
 * @param projects `--selectProjects` with their names; nothing takes all of them
 * @param args further arguments of the first try, as Jest's command line takes them
 * @param options.patience with what does not end by itself after its last suite, in milliseconds
 * @param options.limit an AbortSignal that interrupts the suites
 * @returns what a stage gives (report.mjs); after an interruption it names the suites that never began or never ended
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

/** The suites that Jest runs with these arguments, as paths from the project's folder. */
async function chosenSuites(node, args) {
  const { output } = await outputOf(node, [...flags, 'node_modules/jest/bin/jest.js', ...args, '--listTests']);
  const paths = output.split('\n').filter((line) => /^(\/|[A-Z]:\\)/.test(line));
  return paths.map((path) => relative(root, path.trim()));
}
