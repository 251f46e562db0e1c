import { lstat, readdir, rm } from 'node:fs/promises';
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
  for (const path of names.map((name) => join(tmpdir(), name)))
    if (await isLeft(path)) await rm(path, { recursive: true, force: true });
}

/** False of what is somebody else's, and of what another process has just removed. */
async function isLeft(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  // Files have the time of the system, which is none of the product's clock.
  return found !== null && found.uid === process.getuid?.() && Date.now() - found.mtimeMs > OLD;
}
