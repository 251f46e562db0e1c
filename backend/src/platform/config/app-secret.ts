import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSecrets } from './parsers.js';

/**
 * Gives the secrets kept in the data folder (one, unless it was changed there), making one on the first start.
 * Two processes that start at once agree: the file appears whole, by a hard link, and the first one wins.
 * @param dataDir absolute path; made when missing
 * @param name of their file
 */
export function readOrMakeSecrets(dataDir: string, name = 'app-secret'): readonly string[] {
  const path = join(dataDir, name);
  makePrivateFolder(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    return read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read(path);
}

function read(path: string): readonly string[] {
  const kept = readFileSync(path, 'utf8').trim();
  try {
    return parseSecrets(32)(kept);
  } catch {
    throw new Error(`${path} does not hold a secret; remove it, and a new one is made.`);
  }
}

/** Only the folder itself is ours alone: missing ones above it get the usual rights, so that others can pass through. */
function makePrivateFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
