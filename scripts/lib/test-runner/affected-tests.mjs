import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path prefixes of the suites and end-to-end tests for each source folder. */
export const affectedTestPrefixes = JSON.parse(readFileSync(join(import.meta.dirname, 'affected-tests.json'), 'utf8'));

/** The architecture tests run after any change of the server or the page. */
const ARCHITECTURE = 'backend/test/architecture';

/** Whether a path is a suite or an end-to-end test. */
export const isTest = (path) => /\.(spec|e2e)\.(tsx?|mjs)$/.test(path);
const isEndToEndTest = (path) => path.endsWith('.e2e.ts');
const toFolder = (path) => path.slice(0, path.lastIndexOf('/'));

/**
 * Selects the suites and end-to-end tests for changed files.
 * @param changedFiles paths relative to the project's folder
 * @param tests the paths of all suites and end-to-end tests
 * @returns those paths, or null if a change affects everything (build, test runners, shared code)
 */
export function findAffectedTests(changedFiles, tests) {
  const prefixLists = changedFiles.map(findPrefixes);
  if (prefixLists.includes(null)) return null;
  const prefixes = [...new Set(prefixLists.flat())];
  return tests.filter((test) => prefixes.some((prefix) => test.startsWith(prefix)));
}

function findPrefixes(path) {
  if (isTest(path)) return [path];
  // Shared test code selects the suites beside it, or everything.
  if (/^(backend\/test\/e2e|frontend\/e2e)\/[^/]+\/./.test(path) && !path.includes('/support/'))
    return [toFolder(path)];
  const folder = Object.keys(affectedTestPrefixes)
    .filter((name) => path.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (folder === undefined) return /^[^/]+\.md$/.test(path) ? [] : null;
  const ownTests = /^(backend|frontend)\//.test(folder) ? [`${folder}/`, ARCHITECTURE] : [];
  return [...ownTests, ...affectedTestPrefixes[folder]];
}

/**
 * Suites and end-to-end tests whose paths match one of the words, as Jest interprets them.
 * @returns `{suites, endToEndTests}`
 */
export function matchTests(words, tests) {
  const patterns = words.map((word) => new RegExp(word, 'i'));
  return splitByKind(tests.filter((path) => patterns.some((pattern) => pattern.test(path))));
}

export const splitByKind = (paths) => ({
  suites: paths.filter((path) => !isEndToEndTest(path)),
  endToEndTests: paths.filter(isEndToEndTest),
});

/** Names of suites and end-to-end tests similar to a word without matches, best first. */
export function suggestNames(word, tests) {
  const names = [
    ...new Set(
      tests.map((path) =>
        path
          .split('/')
          .at(-1)
          .replace(/\.(spec|e2e)\..*$/, ''),
      ),
    ),
  ];
  const wordTrigrams = toTrigrams(word);
  const similarity = (name) => {
    const trigrams = toTrigrams(name);
    return trigrams.filter((trigram) => wordTrigrams.includes(trigram)).length / trigrams.length;
  };
  return names
    .map((name) => ({ name, score: similarity(name) }))
    .filter(({ score }) => score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, 8)
    .map(({ name }) => name);
}

/** Trigrams, including the start and end. */
function toTrigrams(text) {
  const padded = `  ${text.toLowerCase()} `;
  return Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3));
}
