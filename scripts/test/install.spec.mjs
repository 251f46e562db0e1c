import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, rejectLinkedPackages } from '../lib/install.mjs';
import { projectPath } from '../lib/project.mjs';
import { createTempFolder } from './support.mjs';

const folder = createTempFolder();
afterAll(() => folder.remove());

const locked = {
  '': { name: 'project' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b': { version: '2.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/for-another-system': { version: '3.0.0', integrity: 'sha512-c', optional: true },
};
const { 'node_modules/a': a, 'node_modules/b': b } = locked;

function installed(packages) {
  folder.write('package-lock.json', { packages: locked });
  folder.write('node_modules/.package-lock.json', { packages });
  return isInstalled(folder.path);
}

it('requires an install when none exists or one was interrupted', () => {
  folder.write('package-lock.json', { packages: locked });
  expect(isInstalled(folder.path)).toBe(false);
  folder.write('node_modules/a/package.json', {});
  expect(isInstalled(folder.path)).toBe(false);
});

it('accepts an install that matches the lock file without packages for other systems', () => {
  expect(installed({ 'node_modules/a': a, 'node_modules/b': b })).toBe(true);
});

it.each([
  ['a package is missing', { 'node_modules/a': a }],
  ['a version differs', { 'node_modules/a': a, 'node_modules/b': { ...b, version: '2.0.1' } }],
  ['the content differs', { 'node_modules/a': a, 'node_modules/b': { ...b, integrity: 'sha512-x' } }],
])('requires an install when %s', (_, packages) => {
  expect(installed(packages)).toBe(false);
});

it('rejects a link to the packages of another folder', () => {
  folder.write('other/a/package.json', {});
  folder.write('checkout/package-lock.json', { packages: locked });
  const checkout = join(folder.path, 'checkout');
  expect(() => rejectLinkedPackages(checkout)).not.toThrow();
  symlinkSync(join(folder.path, 'other'), join(checkout, 'node_modules'));
  expect(() => rejectLinkedPackages(checkout)).toThrow('node_modules is a link');
});

it('disables install analytics of packages', () => {
  expect(JSON.parse(readFileSync(projectPath('package.json'), 'utf8')).scarfSettings).toEqual({ enabled: false });
});
