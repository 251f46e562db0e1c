import { mkdirSync, rmSync } from 'node:fs';
import { inProject, root } from '../project.mjs';
import { runGroup } from './group.mjs';
import { jestReport } from './jest-report.mjs';
import { readJson } from './report.mjs';
import { tryAgain } from './try-again.mjs';

/** Suites outside of `backend` that are native modules need Jest's own loader; stacks name the lines of the sources. */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--enable-source-maps'];

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
 * @param patience with what does not end by itself after its last suite, in milliseconds
 * @returns what a stage gives (report.mjs)
 */
export function suites(node, stage, projects, args = [], patience = undefined) {
  const report = async (name, asked) => {
    const file = inProject('test-results', `${name}.json`);
    mkdirSync(inProject('test-results'), { recursive: true });
    rmSync(file, { force: true });
    const options = { results: file, patience };
    const code = await jest(node, [...projects, ...asked, '--json', `--outputFile=${file}`], options);
    return jestReport(code, readJson(file), root);
  };
  const alone = (failed) => report(`${stage}-again`, ['--maxWorkers=1', '--runTestsByPath', ...failed]);
  return report(stage, args).then((first) => tryAgain(stage, first, alone));
}
