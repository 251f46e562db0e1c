import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../../lib/project.mjs';
import { longJourneys, longSuites } from '../../lib/proof/long.mjs';

/** The files below a folder that import a helper. */
const importing = (folder, helper) =>
  readdirSync(inProject(folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => /\.(spec|journey)\.ts$/.test(path) && readFileSync(inProject(path), 'utf8').includes(helper))
    .sort();

it('lists all long suites and end-to-end tests', () => {
  expect(Object.keys(longSuites)).toEqual(importing('backend', "support/full-or-short.js'"));
  expect(longJourneys).toEqual(importing('frontend/e2e', '/support/display-variants'));
});

it('names each long suite in the documentation', () => {
  const manual = readFileSync(inProject('docs/development.md'), 'utf8');
  const names = Object.keys(longSuites).map((path) => path.replace('backend/test/', '').replace(/\.ts$/, ''));
  expect(names.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
});
