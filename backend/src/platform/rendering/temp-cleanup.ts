import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../clock/clock.js';

/** Names of temporary folders of the renderer and LibreOffice, which contain documents. */
const TEMP_FOLDER_NAME = /^zonary-(?:rendering|office)-[A-Za-z0-9]{6}$/;
/** Longer than any use of such a folder, in milliseconds. */
const STALE_AFTER = HOUR;

/** Deletes temporary document folders that killed processes have left behind. */
export async function removeStaleTempFolders(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => TEMP_FOLDER_NAME.test(name));
  if (names.length === 0) return;
  const now = await fileSystemTime();
  for (const path of names.map((name) => join(tmpdir(), name)))
    if (await isStale(path, now)) await rm(path, { recursive: true, force: true });
}

/**
 * Returns the file system's time, in milliseconds. With any other clock, folders in use by another process could look
 * old.
 */
async function fileSystemTime(): Promise<number> {
  const probe = await mkdtemp(join(tmpdir(), 'zonary-time-'));
  try {
    return (await lstat(probe)).mtimeMs;
  } finally {
    await rmdir(probe);
  }
}

/** False for folders of other users, and for those that another process has just deleted. */
async function isStale(path: string, now: number): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found !== null && found.uid === process.getuid?.() && now - found.mtimeMs > STALE_AFTER;
}
