import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const project = join(import.meta.dirname, '../../..');
/** Most entries in one folder. */
const MOST = 20;
/** Folders that only grow; nobody looks for an entry by its neighbours. */
const growing = ['backend/migrations'];

function folders(parent: string): string[] {
  const inside = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [parent, ...inside.flatMap((entry) => folders(join(parent, entry.name)))];
}

describe('Source folders', () => {
  it.each(['backend', 'frontend/src', 'frontend/e2e', 'bench', 'scripts'])(
    'contain at most 20 entries each: %s',
    (part) => {
      const crowded = folders(join(project, part))
        .map((folder) => ({ folder: relative(project, folder), entries: readdirSync(folder).length }))
        .filter(({ folder, entries }) => entries > MOST && !growing.includes(folder));
      expect(crowded).toEqual([]);
    },
  );
});
