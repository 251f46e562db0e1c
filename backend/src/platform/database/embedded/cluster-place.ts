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
import { accountFor, canReach, type Account } from './account.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

export interface ClusterPlace {
  /** Folder of the cluster; may not exist yet. */
  readonly clusterDir: string;
  /** Who has to run PostgreSQL; null for ourselves. */
  readonly account: Account | null;
}

/** In the data folder: names the folder that keeps its database when that is not the data folder itself. */
const NOTE = 'postgres.location';
/** In that folder: names the data folder to which the database belongs. */
const BELONGS_TO = 'data-folder';

/**
 * Decides where the database of a data folder lives: in its `postgres` folder, or, when root's stand-in cannot enter
 * there (a project in root's home), in a folder of its own under `systemDir`, of which both sides keep a note. The note
 * stays right when the project is moved; a copy of the data folder does not get the original's database.
 * @param dataDir an existing folder
 * @throws EmbeddedPostgresError DATABASE_LOST, DATABASE_ELSEWHERE, DATA_FOLDER_UNREADABLE
 */
export async function placeCluster(dataDir: string, systemDir: string): Promise<ClusterPlace> {
  const home = noted(dataDir);
  if (home) {
    confirm(dataDir, home);
    return placeIn(home);
  }
  const inside = placeIn(dataDir);
  if (!inside.account) return inside;
  letGroupEnter(dataDir, inside.account);
  if (await canReach(dataDir, inside.account)) return inside;
  if (existsSync(inside.clusterDir)) throw unreachable(inside.clusterDir, inside.account);
  return placeIn(claimHome(dataDir, systemDir));
}

/** The folder of the database that a data folder has now, without deciding anything. */
export function knownClusterDir(dataDir: string): string {
  return join(noted(dataDir) ?? dataDir, 'postgres');
}

function placeIn(folder: string): ClusterPlace {
  const clusterDir = join(folder, 'postgres');
  return { clusterDir, account: accountFor(clusterDir) };
}

function noted(dataDir: string): string | null {
  const note = join(dataDir, NOTE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

function confirm(dataDir: string, home: string): void {
  const marker = join(home, BELONGS_TO);
  if (!existsSync(marker)) {
    throw new EmbeddedPostgresError(
      'DATABASE_LOST',
      `The database of the data folder ${dataDir} was kept in ${home}, which is not there any more. ` +
        `Restore that folder, or remove ${join(dataDir, NOTE)} to begin with an empty database.`,
    );
  }
  const here = realpathSync(dataDir);
  const owner = readFileSync(marker, 'utf8').trim();
  if (owner === here) return;
  if (noted(owner) === home) {
    throw new EmbeddedPostgresError(
      'DATABASE_ELSEWHERE',
      `The data folder ${dataDir} is a copy of ${owner}, whose database in ${home} two folders cannot share. ` +
        `Remove ${join(dataDir, NOTE)} to begin with an empty database.`,
    );
  }
  writeFileSync(marker, `${here}\n`);
}

/** The random end keeps a new data folder at an old address away from the database of the earlier one. */
function claimHome(dataDir: string, systemDir: string): string {
  const here = realpathSync(dataDir);
  const digest = createHash('sha256').update(here).digest('hex').slice(0, 16);
  mkdirSync(systemDir, { recursive: true });
  chmodSync(systemDir, 0o755);
  const home = mkdtempSync(join(systemDir, `${digest}-`));
  chmodSync(home, 0o711);
  writeFileSync(join(home, BELONGS_TO), `${here}\n`, { mode: 0o600 });
  writeFileSync(join(dataDir, NOTE), `${home}\n`);
  return home;
}

/** A data folder of root's own is opened to the account's group alone: to pass through, not to list. */
function letGroupEnter(dataDir: string, account: Account): void {
  const { uid, gid, mode } = statSync(dataDir);
  const closed = (mode & 0o001) === 0 && uid === 0 && (gid === 0 || gid === account.gid);
  if (!closed) return;
  chownSync(dataDir, 0, account.gid);
  chmodSync(dataDir, (mode & 0o700) | 0o010);
}

function unreachable(clusterDir: string, account: Account): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DATA_FOLDER_UNREADABLE',
    `The database in ${clusterDir} has to be run by the user ${account.name}, who cannot enter that folder. ` +
      'Let others pass through the folders above it (chmod o+x), or move the data folder back to where it was.',
  );
}
