import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { resolveAccount, canAccessFolder, type OsAccount } from './os-account.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

export interface ClusterLocation {
  /** Folder of the cluster; may not exist yet. */
  readonly clusterDir: string;
  /** Account that has to run PostgreSQL; null for the current user. */
  readonly account: OsAccount | null;
}

/** File in the data folder that names the folder of the database when it is outside the data folder. */
const LOCATION_FILE = 'postgres.location';
/** File in that folder that names the data folder to which the database belongs. */
const OWNER_FILE = 'data-folder';

/**
 * Decides where the database of a data folder is stored: in its `postgres` folder, or, when we run as root and the
 * unprivileged account can't enter it (a project in root's home), in a folder under `systemDir`. In that case both
 * folders contain a file that refers to the other. These references survive moving the project, but a copy of the data
 * folder does not get the original's database.
 * @param dataDir an existing folder
 * @throws EmbeddedPostgresError DATABASE_LOST, DATABASE_ELSEWHERE, DATA_FOLDER_UNREADABLE
 */
export async function resolveClusterLocation(dataDir: string, systemDir: string): Promise<ClusterLocation> {
  const externalDir = readLocationFile(dataDir);
  if (externalDir) {
    verifyExternalDir(dataDir, externalDir);
    return locationIn(externalDir);
  }
  const inside = locationIn(dataDir);
  if (!inside.account) return inside;
  allowGroupTraversal(dataDir, inside.account);
  if (await canAccessFolder(dataDir, inside.account)) return inside;
  if (existsSync(inside.clusterDir)) throw unreachableFolderError(inside.clusterDir, inside.account);
  return locationIn(createExternalDir(dataDir, systemDir));
}

/** Returns the current database folder of a data folder, without creating or changing anything. */
export function currentClusterDir(dataDir: string): string {
  return join(readLocationFile(dataDir) ?? dataDir, 'postgres');
}

function locationIn(folder: string): ClusterLocation {
  const clusterDir = join(folder, 'postgres');
  return { clusterDir, account: resolveAccount(clusterDir) };
}

function readLocationFile(dataDir: string): string | null {
  const note = join(dataDir, LOCATION_FILE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

function verifyExternalDir(dataDir: string, externalDir: string): void {
  const marker = join(externalDir, OWNER_FILE);
  if (!existsSync(marker)) {
    throw new EmbeddedPostgresError(
      'DATABASE_LOST',
      `The database of the data folder ${dataDir} was kept in ${externalDir}, which no longer exists. ` +
        `Restore that folder, or remove ${join(dataDir, LOCATION_FILE)} to begin with an empty database.`,
    );
  }
  const realDataDir = realpathSync(dataDir);
  const owner = readFileSync(marker, 'utf8').trim();
  if (owner === realDataDir) return;
  if (readLocationFile(owner) === externalDir) {
    throw new EmbeddedPostgresError(
      'DATABASE_ELSEWHERE',
      `The data folder ${dataDir} is a copy of ${owner}, whose database in ${externalDir} two folders cannot share. ` +
        `Remove ${join(dataDir, LOCATION_FILE)} to begin with an empty database.`,
    );
  }
  writeFileSync(marker, `${realDataDir}\n`);
}

/** The random suffix prevents a new data folder at a reused path from getting the database of the previous one. */
function createExternalDir(dataDir: string, systemDir: string): string {
  const realDataDir = realpathSync(dataDir);
  const digest = createHash('sha256').update(realDataDir).digest('hex').slice(0, 16);
  mkdirSync(systemDir, { recursive: true });
  chmodSync(systemDir, 0o755);
  const externalDir = mkdtempSync(join(systemDir, `${digest}-`));
  chmodSync(externalDir, 0o711);
  writeFileSync(join(externalDir, OWNER_FILE), `${realDataDir}\n`, { mode: 0o600 });
  writeFileSync(join(dataDir, LOCATION_FILE), `${externalDir}\n`);
  return externalDir;
}

/**
 * Gives the account's group permission to pass through a closed data folder that belongs to root, but not to list it.
 */
function allowGroupTraversal(dataDir: string, account: OsAccount): void {
  const { uid, gid, mode } = statSync(dataDir);
  const closed = (mode & 0o001) === 0 && uid === 0 && (gid === 0 || gid === account.gid);
  if (!closed) return;
  chownSync(dataDir, 0, account.gid);
  chmodSync(dataDir, (mode & 0o700) | 0o010);
}

function unreachableFolderError(clusterDir: string, account: OsAccount): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DATA_FOLDER_UNREADABLE',
    `The database in ${clusterDir} has to be run by the user ${account.name}, who cannot enter that folder. ` +
      'Let others pass through the folders above it (chmod o+x), or move the data folder back to where it was.',
  );
}
