import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { keepCluster, takeCluster } from '../../backend/test/support/runner/kept-cluster.mjs';
import { temporaryFolder } from './temporary.mjs';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const kept = `${folder.path}/kept`;

it('reuses a migrated cluster in the next run and removes those of other migrations', () => {
  folder.write('kept/of-older-migrations/PG_VERSION', '18');
  folder.write('kept/making-another/PG_VERSION', '18');
  folder.write('first/postgres/PG_VERSION', '18');
  expect(takeCluster(`${folder.path}/second`, kept)).toBe(false);
  expect(existsSync(`${folder.path}/second/postgres`)).toBe(false);
  keepCluster(`${folder.path}/first`, kept);
  keepCluster(`${folder.path}/first`, kept);
  expect(takeCluster(`${folder.path}/second`, kept)).toBe(true);
  expect(readFileSync(`${folder.path}/second/postgres/PG_VERSION`, 'utf8')).toBe('18');
  expect(readdirSync(kept)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), 'making-another']);
});
