import { chownSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach, type Account } from './account.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { SOCKET_PREFIX } from './postmaster-file.js';

/** The shortest limit of the systems we run on (macOS), its closing NUL left out. */
const SOCKET_PATH_BYTES = 103;

/**
 * Makes the folder for the server's socket: nobody but the account (and root) can open it, which is what protects the
 * database, since the server asks for no password. It lies in the temporary folder because a socket's path must be
 * short; where that folder is no use, `/tmp` is.
 */
export async function makeSocketDir(account: Account | null): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    const path = join(parent, `${SOCKET_PREFIX}XXXXXX`, '.s.PGSQL.5432');
    if (Buffer.byteLength(path) > SOCKET_PATH_BYTES) continue;
    const folder = mkdtempSync(join(parent, SOCKET_PREFIX));
    if (!account) return folder;
    chownSync(folder, account.uid, account.gid);
    if (await canReach(folder, account)) return folder;
    rmdirSync(folder);
  }
  throw new EmbeddedPostgresError(
    'START_FAILED',
    `Neither ${tmpdir()} nor /tmp can hold the database's socket. Set TMPDIR to a short path that all users may enter.`,
  );
}
