import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import WaitingFirst, { waiting } from '../../lib/proof/waiting-first.mjs';
import { inProject } from '../../lib/project.mjs';

const context = { config: { id: 'a', cacheDirectory: '/nowhere' }, hasteFS: { getSize: () => 1 } };
const suite = (path) => ({ path: join('/somewhere', path), context });

it('runs suites that mostly wait first, starting with the longest', () => {
  const sorter = new WaitingFirst({ contexts: [], globalConfig: {} });
  const order = (paths) => sorter.sort(paths.map(suite)).map(({ path }) => path);
  const ordinary = ['backend/test/e2e/zones/a.spec.ts', 'frontend/src/b.spec.tsx'];
  const first = ['backend/test/process/c.spec.ts', 'backend/test/e2e/operations/d.spec.ts'];
  const sorted = order([...ordinary, ...first.toReversed()]);
  expect(sorted.slice(0, 2)).toEqual(first.map((path) => join('/somewhere', path)));
  expect(sorted).toHaveLength(4);
});

it('names only existing paths', () => {
  const missing = waiting.filter((part) => {
    if (existsSync(inProject(part))) return false;
    const folder = inProject(dirname(part));
    return !readdirSync(folder).some((name) => join(folder, name).startsWith(inProject(part)));
  });
  expect(missing).toEqual([]);
});
