import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path prefixes of the suites and end-to-end tests for each source folder. */
export const table = JSON.parse(readFileSync(join(import.meta.dirname, 'touched.json'), 'utf8'));

/** The architecture tests run after any change of the server or the page. */
const ARCHITECTURE = 'backend/test/architecture';

const isTest = (path) => /\.(spec|journey)\.(tsx?|mjs)$/.test(path);
const folderOf = (path) => path.slice(0, path.lastIndexOf('/'));

/**
 * Selects the suites and end-to-end tests for changed files.
 * @param changed file paths relative to the project's folder
 * @param tests the paths of all suites and end-to-end tests
 * @returns those paths, or null if a change affects everything (build, test runners, shared code)
 */
export function touchedBy(changed, tests) {
  const beginnings = changed.map(beginningsOf);
  if (beginnings.includes(null)) return null;
  const wanted = [...new Set(beginnings.flat())];
  return tests.filter((test) => wanted.some((beginning) => test.startsWith(beginning)));
}

function beginningsOf(path) {
  if (isTest(path)) return [path];
  // Shared test code selects the suites beside it, or everything.
  if (/^(backend\/test\/e2e|frontend\/e2e)\/[^/]+\/./.test(path) && !path.includes('/support/'))
    return [folderOf(path)];
  const folder = Object.keys(table)
    .filter((name) => path.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (folder === undefined) return /^[^/]+\.md$/.test(path) ? [] : null;
  const own = /^(backend|frontend)\//.test(folder) ? [`${folder}/`, ARCHITECTURE] : [];
  return [...own, ...table[folder]];
}

/**
 * Suites and end-to-end tests whose paths match one of the words, as Jest interprets them.
 * @returns `{suites, journeys}`
 */
export function named(words, tests) {
  const patterns = words.map((word) => new RegExp(word, 'i'));
  const found = tests.filter((path) => patterns.some((pattern) => pattern.test(path)));
  return split(found);
}

export const split = (paths) => ({
  suites: paths.filter((path) => !path.endsWith('.journey.ts')),
  journeys: paths.filter((path) => path.endsWith('.journey.ts')),
});

/** Names of suites and end-to-end tests similar to a word without matches, best first. */
export function near(word, tests) {
  const names = [
    ...new Set(
      tests.map((path) =>
        path
          .split('/')
          .at(-1)
          .replace(/\.(spec|journey)\..*$/, ''),
      ),
    ),
  ];
  const wanted = triples(word);
  const likeness = (name) => triples(name).filter((triple) => wanted.includes(triple)).length / triples(name).length;
  return names
    .map((name) => ({ name, share: likeness(name) }))
    .filter(({ share }) => share > 0.2)
    .sort((a, b) => b.share - a.share)
    .slice(0, 8)
    .map(({ name }) => name);
}

/** Trigrams, including the start and end. */
function triples(text) {
  const padded = `  ${text.toLowerCase()} `;
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
}
