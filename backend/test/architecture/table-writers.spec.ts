import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../src');

/** Files are named by their path in a module, or from `platform/` on. */
const nameOf = (path: string) => path.replace(/^modules\//, '');

/** Statements of Kysely and of SQL that write a table; the first group is its name. */
const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\binsert\s+into\s+"?([a-z_]+)"?/g,
  /\bupdate\s+"?([a-z_]+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b/g,
  /\bdelete\s+from\s+"?([a-z_]+)"?/g,
];

/** Statements over tables of many modules, the schema's triggers, and the version that migrations record. */
const SHARED = [
  'retention/retention-policies.sql.ts',
  'files/entities/folder-mirror.entity.ts',
  'platform/database/schema/migrate.ts',
];

/** Tables with several writers, each for columns or steps of its own. */
const SEVERAL_WRITERS: Record<string, readonly string[]> = {
  // A security event is counted and recorded in one statement.
  audit_log: ['platform/audit/audit.repository.ts', 'platform/security-events/security-event.repository.ts'],
  // Content and status, counters, sending.
  campaigns: [
    'campaigns/campaign.repository.ts',
    'campaigns/engine/campaign-state.repository.ts',
    'campaigns/engine/delivery.repository.ts',
  ],
  // Sending, opens and clicks.
  deliveries: ['campaigns/engine/delivery.repository.ts', 'campaigns/tracking/tracking.repository.ts'],
  // The document, the extraction of its texts.
  file_documents: ['files/pages/document.repository.ts', 'files/pages/page-text.repository.ts'],
  file_thumbnails: ['files/objects/file-purge.repository.ts', 'files/thumbnails/thumbnail.repository.ts'],
  // Deletion with the file, replacement, deletion alone.
  file_versions: [
    'files/objects/file-purge.repository.ts',
    'files/upload/file.repository.ts',
    'files/versions/file-version.repository.ts',
  ],
  // Deletion, place and name, move to another zone or copy, trash, upload.
  files: [
    'files/objects/file-purge.repository.ts',
    'files/shared/item-tree.repository.ts',
    'files/transfer/transfer.repository.ts',
    'files/trash/trash.repository.ts',
    'files/upload/file.repository.ts',
  ],
  // A mirror is deleted with its mount folder, and follows a source that is moved to another zone.
  folder_mirrors: [
    'files/shared/item-tree.repository.ts',
    'files/transfer/transfer.repository.ts',
    'mirrors/mirror.repository.ts',
  ],
  folders: [
    'files/objects/file-purge.repository.ts',
    'files/shared/item-tree.repository.ts',
    'files/transfer/transfer.repository.ts',
    'files/trash/trash.repository.ts',
  ],
  // The invitation, the notification about what became of it.
  invitations: [
    'zones/invitations/accepting/invitation-notice.repository.ts',
    'zones/invitations/invitation.repository.ts',
  ],
  resumable_uploads: ['files/upload/resumable/resumable-upload.repository.ts', 'files/upload/upload.repository.ts'],
  // An upload in pieces renews its reservation in the statement that moves its offset.
  uploads: ['files/upload/resumable/resumable-upload.repository.ts', 'files/upload/upload.repository.ts'],
  // The account, its erasure, and the columns of later modules (ADR 0047).
  users: [
    'account/deletion/erasure.repository.ts',
    'auth/users/user.repository.ts',
    'billing/billing-account.repository.ts',
    'insights/dashboard/onboarding.repository.ts',
    'plans/plan.repository.ts',
  ],
  // A join changes a zone's counters in one statement with the audience.
  zone_stats: ['zones/zone/zone-stats.repository.ts', 'zones/zone/zone-stats.sql.ts'],
};

/** Returns the files that write each table. */
async function findWriters(): Promise<Map<string, string[]>> {
  const writers = new Map<string, string[]>();
  const paths = (await readdir(source, { recursive: true })).filter((path) => /^(modules|platform)\//.test(path));
  for (const path of paths.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')).sort()) {
    const name = nameOf(path);
    if (SHARED.includes(name)) continue;
    const code = readFileSync(join(source, path), 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    const tables = new Set(WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!)));
    for (const table of tables) writers.set(table, [...(writers.get(table) ?? []), name]);
  }
  return writers;
}

describe('Tables', () => {
  it('are written by one repository each, except those listed', async () => {
    const several = [...(await findWriters())].filter(([, files]) => files.length > 1);
    expect(Object.fromEntries(several.sort())).toEqual(SEVERAL_WRITERS);
  });

  it('are written in repositories only', async () => {
    const files = [...(await findWriters()).values()].flat();
    expect([...new Set(files)].filter((file) => !/\.(repository|sql)\.ts$/.test(file))).toEqual([]);
  });
});
