import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { log, projectPath, projectRoot, ScriptError } from '../project.mjs';
import { findAffectedTests, isTest, matchTests, splitByKind, suggestNames } from './affected-tests.mjs';

const git = (...args) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);

/** Paths of all suites and end-to-end tests, relative to the project's folder. */
const listTests = () =>
  ['backend/src', 'backend/test', 'frontend/src', 'frontend/e2e', 'scripts']
    .flatMap((folder) => readdirSync(projectPath(folder), { recursive: true }).map((name) => join(folder, name)))
    .map((path) => path.replaceAll(sep, '/'))
    .filter(isTest)
    .sort();

/**
 * Parses the arguments of `npm test`.
 * @param args nothing, words, words and Jest flags, or `--changed` with an optional commit (`main`)
 * @returns `{suites, endToEndTests, flags, changedFiles}` with paths; null for everything. `changedFiles` are the files
 * to check, or null for none
 */
export function selectTests(args) {
  if (args.length === 0) return null;
  if (args[0] === '--changed') return selectAffectedTests(args[1] ?? 'main');
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
  const [words, flags] = firstFlag < 0 ? [args, []] : [args.slice(0, firstFlag), args.slice(firstFlag)];
  const tests = listTests();
  const selection = matchTests(words.length > 0 ? words : ['.'], tests);
  if (selection.suites.length + selection.endToEndTests.length === 0)
    throw new ScriptError(describeNoMatch(words, tests));
  // Flags are for Jest; the end-to-end tests support none of them.
  const endToEndTests = flags.length > 0 ? [] : selection.endToEndTests;
  return { ...selection, endToEndTests, flags, changedFiles: null };
}

function describeNoMatch(words, tests) {
  const names = [...new Set(words.flatMap((word) => suggestNames(word, tests)))];
  const hint = names.length > 0 ? ` Similar names: ${names.join(', ')}.` : '';
  return `no suite and no end-to-end test has ${words.map((word) => `"${word}"`).join(' or ')} in its path.${hint}`;
}

function selectAffectedTests(commit) {
  const diff = git('diff', '--name-only', '-z', '--merge-base', commit);
  const changedFiles = [...new Set([...diff, ...git('ls-files', '-z', '--others', '--exclude-standard')])];
  const tests = findAffectedTests(changedFiles, listTests());
  if (tests === null) {
    log('the changes affect everything');
    return null;
  }
  log(`${changedFiles.length} files changed since ${commit}; they affect ${tests.length} suites and end-to-end tests`);
  const existingFiles = changedFiles.filter((path) => existsSync(projectPath(path)));
  return { ...splitByKind(tests), flags: [], changedFiles: existingFiles };
}
