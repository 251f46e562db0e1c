import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../src');

/**
 * Files that may read the host's clock, and why. All other time-dependent code uses `Clock`; durations use
 * `performance.now()`.
 */
const mayRead: Record<string, string> = {
  'cli/backup.ts': 'the name of a file, in a command that has no application',
  'cli/backup/create-backup.ts': 'when a backup was made, in a command that has no application',
  'cli/backup/restore-target.ts': 'the age of files is told by the machine that keeps them',
  'cli/doctor/check-database.ts': 'compares this very clock with that of the database',
  'modules/campaigns/engine/campaign-engine.service.ts': 'a lease runs on while the machine sleeps, a span does not',
  'modules/files/objects/quarantine/object-comparison.service.ts': 'the age of objects is told by who keeps them',
  'modules/files/upload/upload-cleanup.service.ts': 'the age of files is told by the machine that keeps them',
  'platform/clock/clock.ts': 'it is the clock',
  'platform/storage/gcs-storage.ts': 'Google compares the end of an address with its own clock',
};

const READS = /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)/;

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

describe('Host clock', () => {
  it('is read only by the listed files', () => {
    const readers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .filter((path) => READS.test(withoutComments(readFileSync(join(source, path), 'utf8'))));
    expect(readers.sort()).toEqual(Object.keys(mayRead).sort());
  });
});
