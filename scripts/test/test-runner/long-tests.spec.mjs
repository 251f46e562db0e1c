import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectPath } from '../../lib/project.mjs';
import { longEndToEndTests, longSuites } from '../../lib/test-runner/long-tests.mjs';

/** The files below a folder that import a helper. */
const listImporters = (folder, helper) =>
  readdirSync(projectPath(folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => /\.(spec|e2e)\.ts$/.test(path) && readFileSync(projectPath(path), 'utf8').includes(helper))
    .sort();

it('lists all long suites and end-to-end tests', () => {
  expect(Object.keys(longSuites)).toEqual(listImporters('backend', "support/full-or-short.js'"));
  expect(longEndToEndTests).toEqual(listImporters('frontend/e2e', '/support/display-variants'));
});

it('names each long suite in the documentation', () => {
  const documentation = readFileSync(projectPath('docs/development.md'), 'utf8');
  const names = Object.keys(longSuites).map((path) => path.replace('backend/test/', '').replace(/\.ts$/, ''));
  expect(names.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([]);
});
