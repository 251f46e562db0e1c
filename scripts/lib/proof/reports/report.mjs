import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * Report of a stage, or of one attempt:
 * - `code`: 0 on success
 * - `failed`: what can be retried separately, as paths relative to the project's folder
 * - `failures`: `{where, lines}`, each with the reason in a few lines
 * - `unsteady`: likewise, what passed when retried alone, or was left behind: a failure only with STRICT=1
 * - `times`: `{name, seconds}` of each suite or end-to-end test
 * - `counts`: `{passed, failed}` tests
 */
export const report = (parts) => ({
  code: 0,
  failed: [],
  failures: [],
  unsteady: [],
  times: [],
  counts: { passed: 0, failed: 0 },
  ...parts,
});

/** Parses a JSON file; null if it is missing or invalid. */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Most lines of a failure. */
const LINES = 8;

/**
 * The reason of a failure: the message's first lines and the first line of the stack in our code.
 * @param text message and stack, as written by a test runner
 * @param root the project's folder
 */
export function reason(text, root) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const stack = lines.findIndex((line) => /^\s+at .*[:(]/.test(line));
  const message = stack < 0 ? lines : lines.slice(0, stack);
  const ours = stack < 0 ? undefined : lines.slice(stack).find((line) => isOurs(line, root));
  const at = ours ? [ours.trim().replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '')] : [];
  return [...message.slice(0, LINES - at.length), ...at];
}

/** The runner's own helpers don't show where a test failed. */
const isOurs = (line, root) =>
  line.includes(`${root}/`) && !line.includes('/node_modules/') && !line.includes('/test/support/runner/');
