import { existsSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { inProject, root } from '../../lib/project.mjs';
import { named, near, table, touchedBy } from '../../lib/proof/touched.mjs';

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const tests = files.filter((path) => /\.(spec|journey)\.(tsx?|mjs)$/.test(path) && existsSync(inProject(path)));
const folders = (parent) =>
  readdirSync(inProject(parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`);

describe('Table of affected tests', () => {
  it.each(['backend/src/modules', 'backend/src/platform', 'frontend/src/features'])(
    'covers each folder of %s',
    (parent) => {
      expect(Object.keys(table)).toEqual(expect.arrayContaining(folders(parent)));
    },
  );

  it('names only existing paths', () => {
    expect(Object.keys(table).filter((folder) => !existsSync(inProject(folder)))).toEqual([]);
    const beginnings = Object.values(table).flat();
    expect(beginnings.filter((beginning) => !tests.some((test) => test.startsWith(beginning)))).toEqual([]);
  });

  it('names each end-to-end test and each folder of server suites', () => {
    const beginnings = Object.values(table).flat();
    const isNamed = (path) => beginnings.some((beginning) => path.startsWith(beginning));
    expect(tests.filter((path) => path.endsWith('.journey.ts') && !isNamed(path))).toEqual([]);
    expect(folders('backend/test/e2e').filter((folder) => !isNamed(folder))).toEqual([]);
  });
});

describe('Tests affected by a change', () => {
  it('include the tests of its module, suites beside it and the architecture tests', () => {
    const touched = touchedBy(['backend/src/modules/links/links.controller.ts'], tests);
    expect(touched).toEqual(
      expect.arrayContaining([
        'backend/test/e2e/links/links.spec.ts',
        'backend/test/architecture/folder-structure.spec.ts',
        'frontend/e2e/zones/links.journey.ts',
      ]),
    );
    expect(touched.filter((path) => path.startsWith('backend/test/e2e/billing'))).toEqual([]);
  });

  it('are the test itself when a test changes', () => {
    const suite = 'backend/test/e2e/links/links.spec.ts';
    expect(touchedBy([suite], tests)).toEqual([suite]);
  });

  it('are empty when only documentation changes', () => {
    expect(touchedBy(['README.md', 'docs/frontend.md'], tests)).toEqual([]);
  });

  it.each(['package.json', 'openapi.json', 'jest.config.js', 'backend/test/support/world.ts', 'frontend/test/api.ts'])(
    'are all tests when %s changes',
    (path) => expect(touchedBy([path, 'README.md'], tests)).toBeNull(),
  );
});

describe('Words on the command line', () => {
  it('find suites and end-to-end tests by path', () => {
    expect(named(['e2e/.*mirror'], tests)).toEqual({
      suites: expect.arrayContaining([expect.stringContaining('backend/test/e2e/mirrors/')]),
      journeys: ['frontend/e2e/files/mirror.journey.ts'],
    });
  });

  it('yield similar names when nothing matches', () => {
    expect(near('mirorr', tests)).toContain('mirror');
    expect(near('xqzt', tests)).toEqual([]);
  });
});
