import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDataFolder } from './data-folder.js';
import { parseSecrets } from './parsers.js';

/**
 * Returns the secrets stored in the data folder, creating one on the first start. Usually there is one; there are
 * several after a rotation. If two processes start at the same time, they use the same secret: the file is published
 * complete through a hard link, and the first one wins.
 * @param dataDir absolute path; created when missing, but its parent must exist
 * @param name name of the file
 * @throws StartupError when the parent does not exist; an error with `code` and `path` when the folder isn't writable
 */
export function readOrCreateSecrets(dataDir: string, name = 'app-secret'): readonly string[] {
  const path = join(dataDir, name);
  ensureDataFolder(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    return readSecrets(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
  } catch (error) {
    // Report the folder; the name of the temporary file would not help.
    throw Object.assign(new Error("The data folder isn't writable.", { cause: error }), {
      code: (error as NodeJS.ErrnoException).code,
      path: dataDir,
    });
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecrets(path);
}

function readSecrets(path: string): readonly string[] {
  try {
    return parseSecretLines(readFileSync(path, 'utf8').split(/[\r\n]+/));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new Error(
      `${path} must hold a secret of at least 32 characters, or several, each on a line and without commas, the newest first. Without the file a new one is made.`,
      { cause: error },
    );
  }
}

function parseSecretLines(lines: readonly string[]): readonly string[] {
  const filledLines = lines.filter((line) => line.trim() !== '');
  const secrets = [...new Set(filledLines.flatMap((line) => parseSecrets(32)(line)))];
  if (secrets.length === 0) throw new Error('no secret');
  // They are passed on as a comma-separated list.
  if (secrets.length > 1 && secrets.some((secret) => secret.includes(','))) throw new Error('commas');
  return secrets;
}
