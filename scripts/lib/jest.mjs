import { run } from './run.mjs';

/** Suites outside of `backend` that are native modules need Jest's own loader; stacks name the lines of the sources. */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--enable-source-maps'];

/**
 * Runs Jest.
 * @param node the Node.js that the product runs on
 * @param args as Jest's command line takes them
 * @param options as of `run`
 * @returns its exit code
 */
export const jest = (node, args, options) => run(node, [...flags, 'node_modules/jest/bin/jest.js', ...args], options);

/** The suites of the server: those of the whole, and those that put together a part of it. */
export const serverSuites = ['--selectProjects', 'backend', 'parts'];
