import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import WaitBoundFirstSequencer, { waitBoundSuites } from '../../lib/test-runner/sequencer.mjs';
import { projectPath } from '../../lib/project.mjs';

const context = { config: { id: 'a', cacheDirectory: '/nowhere' }, hasteFS: { getSize: () => 1 } };
const suite = (path) => ({ path: join('/somewhere', path), context });

it('runs suites that mostly wait first, starting with the longest', () => {
  const sequencer = new WaitBoundFirstSequencer({ contexts: [], globalConfig: {} });
  const order = (paths) => sequencer.sort(paths.map(suite)).map(({ path }) => path);
  const ordinary = ['backend/test/e2e/zones/a.spec.ts', 'frontend/src/b.spec.tsx'];
  const first = ['backend/test/process/c.spec.ts', 'backend/test/e2e/operations/d.spec.ts'];
  const sorted = order([...ordinary, ...first.toReversed()]);
  expect(sorted.slice(0, 2)).toEqual(first.map((path) => join('/somewhere', path)));
  expect(sorted).toHaveLength(4);
});

it('names only existing paths', () => {
  const missing = waitBoundSuites.filter((prefix) => {
    if (existsSync(projectPath(prefix))) return false;
    const folder = projectPath(dirname(prefix));
    return !readdirSync(folder).some((name) => join(folder, name).startsWith(projectPath(prefix)));
  });
  expect(missing).toEqual([]);
});
