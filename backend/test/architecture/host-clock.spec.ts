import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../src');

/**
 * Files that may read the host's clock, and why. All other time-dependent code uses `Clock`; durations use
 * `performance.now()`.
 */
const mayRead: Record<string, string> = {
  'cli/backup.ts': 'names a file, in a command without an application',
  'cli/backup/create-backup.ts': 'records the time of a backup, in a command without an application',
  'cli/backup/restore-target.ts': 'file timestamps come from the host clock',
  'cli/doctor/check-database.ts': 'compares the host clock with that of the database',
  'modules/campaigns/engine/campaign-engine.service.ts':
    'leases expire while the machine sleeps, but `performance.now()` may stop',
  'modules/files/objects/quarantine/object-comparison.service.ts': 'object timestamps come from the storage',
  'modules/files/upload/upload-cleanup.service.ts': 'file timestamps come from the host clock',
  'platform/clock/clock.ts': 'implements `Clock`',
  'platform/storage/move/storage-move.service.ts': 'the times of unfinished writes come from the storage',
  'platform/storage/s3/s3-storage.ts': 'the service compares the expiry of signed URLs with its own clock',
  'platform/storage/gcs/gcs-storage.ts': 'Google compares the expiry of signed URLs with its own clock',
};

const READS = /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)/;

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

describe('Host clock', () => {
  it('is read only by the listed files', () => {
    const clockUsers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .filter((path) => READS.test(withoutComments(readFileSync(join(source, path), 'utf8'))));
    expect(clockUsers.sort()).toEqual(Object.keys(mayRead).sort());
  });
});
