import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../clock/clock.js';

/** As drawing and LibreOffice name the folders in which a document lies for them. */
const OURS = /^zonary-(?:drawing|office)-[A-Za-z0-9]{6}$/;
/** Nobody works in one for so long. */
const OLD = HOUR;

/** Removes folders of documents that processes which were killed have left in the temporary folder. */
export async function removeLeftOver(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => OURS.test(name));
  if (names.length === 0) return;
  const now = await timeOfFiles();
  for (const path of names.map((name) => join(tmpdir(), name)))
    if (await isLeft(path, now)) await rm(path, { recursive: true, force: true });
}

/** The time by which files are dated, in milliseconds: by any other one the work of another process could look old. */
async function timeOfFiles(): Promise<number> {
  const probe = await mkdtemp(join(tmpdir(), 'zonary-time-'));
  try {
    return (await lstat(probe)).mtimeMs;
  } finally {
    await rmdir(probe);
  }
}

/** False of what is somebody else's, and of what another process has just removed. */
async function isLeft(path: string, now: number): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found !== null && found.uid === process.getuid?.() && now - found.mtimeMs > OLD;
}
