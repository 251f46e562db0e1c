import { opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFindings, type Finding } from './finding.js';

const { ok, warn } = createFindings('storage');

/** Permissions that the group, or others, need to enter a folder above the storage, and to read what is in it. */
const ENTER = 0o011;
const READ_FOLDER = 0o050;
const READ_FILE = 0o040;

/** Checks that the web server of SENDFILE can read files: the folders, and one file of each. */
export async function checkSendfile(root: string): Promise<Finding> {
  const path = await findUnreadable(root);
  return path === null
    ? ok('The group of the folder can read its files, as SENDFILE needs.')
    : warn(
        `SENDFILE is set, but only Zonary's account can read ${path}. Unless the web server runs as root, it can't send files. docs/operations/storage.md says which permissions it needs.`,
      );
}

async function findUnreadable(root: string): Promise<string | null> {
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (((await stat(folder)).mode & ENTER) === 0) return folder;
  }
  const objects = join(root, 'files');
  for (const folder of [root, objects]) if (!(await isReadable(folder, READ_FOLDER))) return folder;
  for await (const { name } of await opendir(objects)) {
    const folder = join(objects, name);
    if (!(await isReadable(folder, READ_FOLDER))) return folder;
    const file = await findFirstEntry(folder);
    if (file !== null && !(await isReadable(file, READ_FILE))) return file;
  }
  return null;
}

async function isReadable(path: string, needed: number): Promise<boolean> {
  return ((await stat(path)).mode & needed) === needed;
}

async function findFirstEntry(folder: string): Promise<string | null> {
  for await (const { name } of await opendir(folder)) return join(folder, name);
  return null;
}
