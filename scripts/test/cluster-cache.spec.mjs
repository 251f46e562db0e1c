import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { restoreCluster, saveCluster } from '../../backend/test/support/runner/cluster-cache.mjs';
import { createTempFolder } from './support.mjs';

const folder = createTempFolder();
afterAll(() => folder.remove());
const cacheDir = `${folder.path}/cache`;

it('reuses a migrated cluster in the next run and removes those of other migrations', () => {
  folder.write('cache/of-older-migrations/PG_VERSION', '18');
  folder.write('cache/temp-another/PG_VERSION', '18');
  folder.write('first/postgres/PG_VERSION', '18');
  expect(restoreCluster(`${folder.path}/second`, cacheDir)).toBe(false);
  expect(existsSync(`${folder.path}/second/postgres`)).toBe(false);
  saveCluster(`${folder.path}/first`, cacheDir);
  saveCluster(`${folder.path}/first`, cacheDir);
  expect(restoreCluster(`${folder.path}/second`, cacheDir)).toBe(true);
  expect(readFileSync(`${folder.path}/second/postgres/PG_VERSION`, 'utf8')).toBe('18');
  expect(readdirSync(cacheDir)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), 'temp-another']);
});
