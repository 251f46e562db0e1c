import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * Creates the report of a stage, or of one attempt:
 * - `code`: 0 on success
 * - `failed`: what can be retried separately, as paths relative to the project's folder
 * - `failures`: `{name, lines}`, each with the reason in a few lines
 * - `flaky`: likewise, what passed when retried alone, or was left behind: a failure only with STRICT=1
 * - `times`: `{name, seconds}` of each suite or end-to-end test
 * - `counts`: `{passed, failed}` tests
 */
export const createReport = (fields) => ({
  code: 0,
  failed: [],
  failures: [],
  flaky: [],
  times: [],
  counts: { passed: 0, failed: 0 },
  ...fields,
});

/** Most tests listed in one failure. */
const MAX_LISTED = 15;

/**
 * A failure that lists tests, at most fifteen.
 * @returns an empty array if there are none
 */
export function createListFailure(name, tests) {
  if (tests.length === 0) return [];
  const rest = tests.length - MAX_LISTED;
  return [{ name, lines: [...tests.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])] }];
}

/** Parses a JSON file; null if it is missing or invalid. */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Most lines of a failure. */
const MAX_LINES = 8;

/**
 * Shortens the message of a failure to its first lines and the first line of the stack in our code.
 * @param text message and stack, as written by a test runner
 * @param projectRoot the project's folder
 */
export function shortenMessage(text, projectRoot) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const stackStart = lines.findIndex((line) => /^\s+at .*[:(]/.test(line));
  const message = stackStart < 0 ? lines : lines.slice(0, stackStart);
  const ourLine = stackStart < 0 ? undefined : lines.slice(stackStart).find((line) => isOurCode(line, projectRoot));
  const location = ourLine
    ? [ourLine.trim().replaceAll(`file://${projectRoot}/`, '').replaceAll(`${projectRoot}/`, '')]
    : [];
  return [...message.slice(0, MAX_LINES - location.length), ...location];
}

/** The runner's own helpers don't show where a test failed. */
const isOurCode = (line, projectRoot) =>
  line.includes(`${projectRoot}/`) && !line.includes('/node_modules/') && !line.includes('/test/support/runner/');
