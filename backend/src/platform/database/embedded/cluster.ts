import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { userNameOf, runAs, type OsAccount } from './os-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { ClusterLocation } from './cluster-location.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** The only role of the embedded database; it owns everything. */
export const SUPERUSER = 'zonary';

export interface ClusterInitOptions {
  /** File with the role's password; null when the permissions of the socket folder protect the database. */
  readonly passwordFile: string | null;
  readonly fsync: boolean;
}

/**
 * Creates the cluster when there is none. Otherwise checks that these binaries and this user can run it.
 * @throws EmbeddedPostgresError DATA_FOLDER_UNREADABLE, DATA_FOLDER_WRONG_VERSION, START_FAILED
 */
export async function prepareCluster(
  location: ClusterLocation,
  binaries: PostgresBinaries,
  options: ClusterInitOptions,
): Promise<void> {
  const { clusterDir, account } = location;
  const exists = existsSync(clusterDir);
  if (exists) assertClusterOwner(clusterDir, account);
  if (!exists || readdirSync(clusterDir).length === 0) {
    await initialiseCluster(location, binaries, options);
    return;
  }
  assertClusterVersion(clusterDir, binaries.major);
  if (process.platform !== 'win32') chmodSync(clusterDir, 0o700);
}

/**
 * Creates the cluster under a temporary name, so that an interrupted start leaves nothing that looks like a database.
 */
async function initialiseCluster(
  location: ClusterLocation,
  binaries: PostgresBinaries,
  options: ClusterInitOptions,
): Promise<void> {
  const { clusterDir, account } = location;
  const { passwordFile, fsync } = options;
  const draft = `${clusterDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (account) chownSync(draft, account.uid, account.gid);
  const { code, output } = await runAs(account, binaries.initdb, [
    ...['--pgdata', draft, '--username', SUPERUSER, '--encoding', 'UTF8', '--no-instructions'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(fsync ? [] : ['--no-sync']),
    ...(passwordFile ? ['--auth', 'scram-sha-256', '--pwfile', passwordFile] : ['--auth', 'trust']),
  ]);
  if (code !== 0) {
    throw new EmbeddedPostgresError('START_FAILED', `Couldn't create the database in ${clusterDir}: ${output}`);
  }
  renameSync(draft, clusterDir);
}

function assertClusterOwner(clusterDir: string, account: OsAccount | null): void {
  if (process.platform === 'win32') return;
  const { uid } = statSync(clusterDir);
  if (account) {
    if (uid === 0) chownRecursively(clusterDir, account);
    return;
  }
  if (uid === process.getuid?.()) return;
  throw new EmbeddedPostgresError(
    'DATA_FOLDER_UNREADABLE',
    `The database in ${clusterDir} belongs to the user ${userNameOf(uid)}. ` +
      'Start Zonary as that user or as root, or set DATA_DIR to another folder.',
  );
}

/**
 * Files that root copied or restored belong to root, but PostgreSQL only starts a cluster that its own account owns.
 */
function chownRecursively(folder: string, account: OsAccount): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) chownRecursively(path, account);
    else lchownSync(path, account.uid, account.gid);
  }
  chownSync(folder, account.uid, account.gid);
}

function assertClusterVersion(clusterDir: string, major: number): void {
  const file = join(clusterDir, 'PG_VERSION');
  if (!existsSync(file)) {
    throw new EmbeddedPostgresError(
      'DATA_FOLDER_WRONG_VERSION',
      `The folder ${clusterDir} holds no database, and Zonary does not overwrite what it does not know. ` +
        'Move that folder away, or set DATA_DIR to another folder.',
    );
  }
  const found = readFileSync(file, 'utf8').trim();
  if (found === String(major)) return;
  throw new EmbeddedPostgresError(
    'DATA_FOLDER_WRONG_VERSION',
    `The database in ${clusterDir} was made by PostgreSQL ${found}, and this Zonary runs PostgreSQL ${major}, which cannot ` +
      `open it. Start the Zonary that made it, or serve that folder with a PostgreSQL ${found} server and name it in ` +
      'DATABASE_URL, or set DATA_DIR to another folder. Nothing was changed.',
  );
}
