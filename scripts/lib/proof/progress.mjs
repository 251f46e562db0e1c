import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../project.mjs';

/** Suites of one kind that the last lines of a run name. */
const NAMED = 15;

/**
 * A Jest reporter that writes a line to the file TEST_PROGRESS when a suite begins and when it ends. Jest writes its
 * results at its end only, so of a run that had to be interrupted this is all that is known.
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

/** Reads what the reporter has written. @returns the last state (`begun`, `failed`, `passed`) of each suite by its path */
export function readProgress(file) {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // No suite has begun.
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
 * Says which suites an interrupted run did not finish, and which had failed before.
 * @param chosen the paths of all suites of the run
 * @param states as of `readProgress`
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

/** A failure that names at most fifteen. @returns none where there is nothing to name */
export function named(what, paths) {
  if (paths.length === 0) return [];
  const more = paths.length - NAMED;
  return [{ where: what, lines: [...paths.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])] }];
}
