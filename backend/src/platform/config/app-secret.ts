import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDataFolder } from './data-folder.js';
import { parseSecrets } from './parsers.js';

/**
 * Gives the secrets kept in the data folder (one, unless it was changed there), making one on the first start.
 * Two processes that start at once agree: the file appears whole, by a hard link, and the first one wins.
 * @param dataDir absolute path; made when missing, in a folder that is there
 * @param name of their file
 * @throws StartupError when it is not; an error with `code` and the path of the data folder when it can't be written
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
    // The folder is at fault, and the name of the draft says nothing to anybody.
    throw Object.assign(new Error('The data folder cannot be written.', { cause: error }), {
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
  // They are handed on with commas between them.
  if (secrets.length > 1 && secrets.some((secret) => secret.includes(','))) throw new Error('commas');
  return secrets;
}
