import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../project.mjs';

/** Most suites of one kind listed in the summary. */
const NAMED = 15;

/**
 * A Jest reporter that appends a line to the file `TEST_PROGRESS` when a suite starts and when it finishes. Jest writes
 * its results only at the end, so this is all that is known of an interrupted run.
 */
export default class Progress {
  onTestFileStart({ path }) {
    note('begun', path);
  }

  onTestFileResult({ path }, { numFailingTests, testExecError }) {
    note(numFailingTests > 0 || testExecError ? 'failed' : 'passed', path);
  }
}

function note(state, path) {
  if (process.env.TEST_PROGRESS) appendFileSync(process.env.TEST_PROGRESS, `${state} ${relative(root, path)}\n`);
}

/**
 * Reads the reporter's file.
 * @returns the last state (`begun`, `failed`, `passed`) of each suite by path
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
 * @param chosen the paths of all suites of the run
 * @param states as returned by `readProgress`
 * @returns failures (report.mjs)
 */
export function unfinishedSuites(chosen, states) {
  const inState = (state) => chosen.filter((path) => states.get(path) === state);
  return [
    named('never ended', inState('begun')),
    named('never began', inState(undefined)),
    named('failed before; the reasons are in the output above', inState('failed')),
  ].flat();
}

/**
 * A failure that lists at most fifteen paths.
 * @returns an empty array if there are none
 */
export function named(what, paths) {
  if (paths.length === 0) return [];
  const more = paths.length - NAMED;
  return [{ where: what, lines: [...paths.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])] }];
}
