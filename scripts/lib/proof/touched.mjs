import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What lies below a folder, by the beginnings of the paths of the suites and journeys that try it. */
export const table = JSON.parse(readFileSync(join(import.meta.dirname, 'touched.json'), 'utf8'));

/** The structure of the whole is judged whatever has changed in the server or in the page's source. */
const ARCHITECTURE = 'backend/test/architecture';

const isTest = (path) => /\.(spec|journey)\.(tsx?|mjs)$/.test(path);
const folderOf = (path) => path.slice(0, path.lastIndexOf('/'));

/**
 * The suites and journeys that try what has changed.
 * @param changed paths of files, from the project's folder
 * @param tests the paths of all suites and journeys
 * @returns those paths, or null when what has changed touches everything (what the build, the suites or all parts share)
 */
export function touchedBy(changed, tests) {
  const beginnings = changed.map(beginningsOf);
  if (beginnings.includes(null)) return null;
  const wanted = [...new Set(beginnings.flat())];
  return tests.filter((test) => wanted.some((beginning) => test.startsWith(beginning)));
}

function beginningsOf(path) {
  if (isTest(path)) return [path];
  // What only tests share, and what the page calls: the suites beside it, or everything.
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
 * The suites and journeys whose paths hold one of the words, as Jest understands them.
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

/** Names of suites and journeys that look like a word for which nothing was found, the nearest first. */
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

/** Three letters at a time, with the beginning and the end. */
function triples(text) {
  const padded = `  ${text.toLowerCase()} `;
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
}
