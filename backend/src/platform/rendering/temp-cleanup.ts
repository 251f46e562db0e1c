import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../clock/clock.js';

/** As drawing and LibreOffice name the folders in which a document lies for them. */
const TEMP_FOLDER_NAME = /^zonary-(?:drawing|office)-[A-Za-z0-9]{6}$/;
/** Nobody works in one for so long. */
const STALE_AFTER = HOUR;

/** Removes folders of documents that processes which were killed have left in the temporary folder. */
export async function removeStaleTempFolders(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => TEMP_FOLDER_NAME.test(name));
  if (names.length === 0) return;
  const now = await fileSystemTime();
  for (const path of names.map((name) => join(tmpdir(), name)))
    if (await isStale(path, now)) await rm(path, { recursive: true, force: true });
}

/** The time by which files are dated, in milliseconds: by any other one the work of another process could look old. */
async function fileSystemTime(): Promise<number> {
  const probe = await mkdtemp(join(tmpdir(), 'zonary-time-'));
  try {
    return (await lstat(probe)).mtimeMs;
  } finally {
    await rmdir(probe);
  }
}

/** False of what is somebody else's, and of what another process has just removed. */
async function isStale(path: string, now: number): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found !== null && found.uid === process.getuid?.() && now - found.mtimeMs > STALE_AFTER;
}
