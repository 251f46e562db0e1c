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
  /** Who has to run PostgreSQL; null for ourselves. */
  readonly account: OsAccount | null;
}

/** In the data folder: names the folder that keeps its database when that is not the data folder itself. */
const LOCATION_FILE = 'postgres.location';
/** In that folder: names the data folder to which the database belongs. */
const OWNER_FILE = 'data-folder';

/**
 * Decides where the database of a data folder lives: in its `postgres` folder, or, when root's stand-in cannot enter
 * there (a project in root's home), in a folder of its own under `systemDir`, of which both sides keep a note. The note
 * stays right when the project is moved; a copy of the data folder does not get the original's database.
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

/** The folder of the database that a data folder has now, without deciding anything. */
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
      `The database of the data folder ${dataDir} was kept in ${externalDir}, which is not there any more. ` +
        `Restore that folder, or remove ${join(dataDir, LOCATION_FILE)} to begin with an empty database.`,
    );
  }
  const here = realpathSync(dataDir);
  const owner = readFileSync(marker, 'utf8').trim();
  if (owner === here) return;
  if (readLocationFile(owner) === externalDir) {
    throw new EmbeddedPostgresError(
      'DATABASE_ELSEWHERE',
      `The data folder ${dataDir} is a copy of ${owner}, whose database in ${externalDir} two folders cannot share. ` +
        `Remove ${join(dataDir, LOCATION_FILE)} to begin with an empty database.`,
    );
  }
  writeFileSync(marker, `${here}\n`);
}

/** The random end keeps a new data folder at an old address away from the database of the earlier one. */
function createExternalDir(dataDir: string, systemDir: string): string {
  const here = realpathSync(dataDir);
  const digest = createHash('sha256').update(here).digest('hex').slice(0, 16);
  mkdirSync(systemDir, { recursive: true });
  chmodSync(systemDir, 0o755);
  const externalDir = mkdtempSync(join(systemDir, `${digest}-`));
  chmodSync(externalDir, 0o711);
  writeFileSync(join(externalDir, OWNER_FILE), `${here}\n`, { mode: 0o600 });
  writeFileSync(join(dataDir, LOCATION_FILE), `${externalDir}\n`);
  return externalDir;
}

/** A data folder of root's own is opened to the account's group alone: to pass through, not to list. */
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
