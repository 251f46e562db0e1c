import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { inProject, root, say, Trouble } from '../project.mjs';
import { named, near, split, touchedBy } from './touched.mjs';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

/** Paths of all suites and end-to-end tests, relative to the project's folder. */
const allTests = () =>
  ['backend/src', 'backend/test', 'frontend/src', 'frontend/e2e', 'scripts']
    .flatMap((folder) => readdirSync(inProject(folder), { recursive: true }).map((name) => join(folder, name)))
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => /\.(spec|journey)\.(tsx?|mjs)$/.test(path))
    .sort();

/**
 * Parses the arguments of `npm test`.
 * @param args nothing, words, words and Jest flags, or `--changed` with an optional commit (`main`)
 * @returns `{suites, journeys, flags, changed}` with paths; null for everything. `changed` are the files to check, or
 * null for none
 */
export function chosenBy(args) {
  if (args.length === 0) return null;
  if (args[0] === '--changed') return changedSince(args[1] ?? 'main');
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const [words, flags] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end)];
  const tests = allTests();
  const found = named(words.length > 0 ? words : ['.'], tests);
  if (found.suites.length + found.journeys.length === 0) throw new Trouble(nothing(words, tests));
  // Flags are for Jest; the end-to-end tests support none of them.
  return { ...found, journeys: flags.length > 0 ? [] : found.journeys, flags, changed: null };
}

function nothing(words, tests) {
  const names = [...new Set(words.flatMap((word) => near(word, tests)))];
  const hint = names.length > 0 ? ` Near: ${names.join(', ')}.` : '';
  return `no suite and no journey has ${words.map((word) => `"${word}"`).join(' or ')} in its path.${hint}`;
}

function changedSince(commit) {
  const since = git('diff', '--name-only', '-z', '--merge-base', commit);
  const changed = [...new Set([...since, ...git('ls-files', '-z', '--others', '--exclude-standard')])];
  const touched = touchedBy(changed, allTests());
  if (touched === null) {
    say('what has changed touches everything');
    return null;
  }
  say(`${changed.length} files changed since ${commit}, which ${touched.length} suites and journeys try`);
  return { ...split(touched), flags: [], changed: changed.filter((path) => existsSync(inProject(path))) };
}
