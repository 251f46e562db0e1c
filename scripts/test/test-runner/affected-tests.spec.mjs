import { existsSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { projectPath, projectRoot } from '../../lib/project.mjs';
import {
  affectedTestPrefixes,
  findAffectedTests,
  isTest,
  matchTests,
  suggestNames,
} from '../../lib/test-runner/affected-tests.mjs';

const files = execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);
const tests = files.filter((path) => isTest(path) && existsSync(projectPath(path)));
const folders = (parent) =>
  readdirSync(projectPath(parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`);

describe('Table of affected tests', () => {
  it.each(['backend/src/modules', 'backend/src/platform', 'frontend/src/features'])(
    'covers each folder of %s',
    (parent) => {
      expect(Object.keys(affectedTestPrefixes)).toEqual(expect.arrayContaining(folders(parent)));
    },
  );

  it('names only existing paths', () => {
    expect(Object.keys(affectedTestPrefixes).filter((folder) => !existsSync(projectPath(folder)))).toEqual([]);
    const prefixes = Object.values(affectedTestPrefixes).flat();
    expect(prefixes.filter((prefix) => !tests.some((test) => test.startsWith(prefix)))).toEqual([]);
  });

  it('names each end-to-end test and each folder of server suites', () => {
    const prefixes = Object.values(affectedTestPrefixes).flat();
    const isListed = (path) => prefixes.some((prefix) => path.startsWith(prefix));
    expect(tests.filter((path) => path.endsWith('.e2e.ts') && !isListed(path))).toEqual([]);
    expect(folders('backend/test/e2e').filter((folder) => !isListed(folder))).toEqual([]);
  });
});

describe('Tests affected by a change', () => {
  it('include the tests of its module, suites beside it and the architecture tests', () => {
    const affected = findAffectedTests(['backend/src/modules/links/links.controller.ts'], tests);
    expect(affected).toEqual(
      expect.arrayContaining([
        'backend/test/e2e/links/links.spec.ts',
        'backend/test/architecture/access.spec.ts',
        'frontend/e2e/zones/links.e2e.ts',
      ]),
    );
    expect(affected.filter((path) => path.startsWith('backend/test/e2e/billing'))).toEqual([]);
  });

  it('are the test itself when a test changes', () => {
    const suite = 'backend/test/e2e/links/links.spec.ts';
    expect(findAffectedTests([suite], tests)).toEqual([suite]);
  });

  it('are empty when only documentation changes', () => {
    expect(findAffectedTests(['README.md', 'docs/frontend.md'], tests)).toEqual([]);
  });

  it.each(['package.json', 'openapi.json', 'jest.config.js', 'backend/test/support/world.ts', 'frontend/test/api.ts'])(
    'are all tests when %s changes',
    (path) => expect(findAffectedTests([path, 'README.md'], tests)).toBeNull(),
  );
});

describe('Words on the command line', () => {
  it('find suites and end-to-end tests by path', () => {
    expect(matchTests(['e2e/.*mirror'], tests)).toEqual({
      suites: expect.arrayContaining([expect.stringContaining('backend/test/e2e/mirrors/')]),
      endToEndTests: ['frontend/e2e/files/mirror.e2e.ts'],
    });
  });

  it('yield similar names when nothing matches', () => {
    expect(suggestNames('mirorr', tests)).toContain('mirror');
    expect(suggestNames('xqzt', tests)).toEqual([]);
  });
});
