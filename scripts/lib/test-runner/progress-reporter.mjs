import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { projectRoot } from '../project.mjs';
import { createListFailure } from './reports/report.mjs';

/**
 * A Jest reporter that appends a line to the file `TEST_PROGRESS` when a suite starts and when it finishes. Jest writes
 * its results only at the end, so this is all that is known of an interrupted run.
 */
export default class ProgressReporter {
  onTestFileStart({ path }) {
    recordState('started', path);
  }

  onTestFileResult({ path }, { numFailingTests, testExecError }) {
    recordState(numFailingTests > 0 || testExecError ? 'failed' : 'passed', path);
  }
}

function recordState(state, path) {
  if (process.env.TEST_PROGRESS) appendFileSync(process.env.TEST_PROGRESS, `${state} ${relative(projectRoot, path)}\n`);
}

/**
 * Reads the reporter's file.
 * @returns the last state (`started`, `failed`, `passed`) of each suite by path
 */
export function readProgress(file) {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // No suite has started.
    if (error.code !== 'ENOENT') throw error;
  }
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
}

/**
 * Lists the suites an interrupted run did not finish, and those that had failed before.
 * @param suites the paths of all suites of the run
 * @param states as returned by `readProgress`
 * @returns failures (report.mjs)
 */
export function listUnfinishedSuites(suites, states) {
  const inState = (state) => suites.filter((path) => states.get(path) === state);
  return [
    createListFailure('not finished', inState('started')),
    createListFailure('not started', inState(undefined)),
    createListFailure('failed before; see the output above', inState('failed')),
  ].flat();
}
