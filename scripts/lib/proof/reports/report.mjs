import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * What a stage gives when it has run, or one try of it:
 * - `code`: 0 when all is well;
 * - `failed`: what can be tried again by itself, as paths from the project's folder;
 * - `failures`: `{where, lines}`, each with why it failed in few lines;
 * - `unsteady`: likewise, what passed when it was tried again by itself, or was left behind: red under STRICT=1 only;
 * - `times`: `{name, seconds}` of each suite or journey;
 * - `counts`: `{passed, failed}`, in tests.
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

/** What a program wrote as JSON, or null where it wrote nothing (readable). */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Lines of a failure, in all. */
const LINES = 8;

/**
 * Why something failed: the first lines of the message, then the first line of the stack that is ours.
 * @param text message and stack, as a test runner writes them
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

/** Helpers that only carry a test are no answer to "where". */
const isOurs = (line, root) =>
  line.includes(`${root}/`) && !line.includes('/node_modules/') && !line.includes('/test/support/runner/');
