import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Gives the secret kept in the data folder, making it on the first start.
 * Two processes that start at once agree: the file appears whole, by a hard link, and the first one wins.
 * @param dataDir absolute path; made when missing
 */
export function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, 'app-secret');
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

function read(path: string): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32) throw new Error(`${path} does not hold a secret; remove it, and a new one is made.`);
  return secret;
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
