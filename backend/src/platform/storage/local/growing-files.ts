import { randomUUID } from 'node:crypto';
import { constants, copyFile, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GrowingState } from '../growing-object.js';
import { KeptHashes } from '../kept-hashes.js';
import { GrowingFile } from './growing-file.js';
import { nullIfMissing, syncFolder } from './local-disk.js';
import type { LocalRoot } from './local-root.js';

/** What the storage does with the files of its root. */
interface FilesOfRoot {
  pathOf(key: string): string;
  createFile(path: string): Promise<FileHandle>;
  publish(path: string, key: string): Promise<void>;
}

/**
 * The growing files of a local storage: `<folder>/<key with - for />/<generation>`. A file whose generation has been
 * succeeded is deleted: a writer that was suspended and continues only changes the deleted file.
 */
export class GrowingFiles {
  private readonly keptHashes = new KeptHashes();

  constructor(
    private readonly folder: string,
    private readonly root: LocalRoot,
    private readonly files: FilesOfRoot,
  ) {}

  /**
   * Opens the file of a generation, taking over the latest one if it doesn't exist yet.
   * @returns null when bytes that were reported as durable are missing
   */
  async open(key: string, { size, generation }: GrowingState): Promise<GrowingFile | null> {
    const path = join(this.folderOf(key), String(generation));
    await this.root.createFolder(dirname(path), await this.root.expectedFolder());
    const handle = await this.openFile(key, path, size);
    if (!handle || !(await shorten(handle, size))) return null;
    return new GrowingFile(key, handle, size, this.keptHashes.take(key, size, generation), {
      syncEntry: () => this.syncEntry(path),
      publish: () => this.publish(path, key),
      keepHash: (hash, hashed) => this.keptHashes.keep(key, { hash, size: hashed, generation }),
    });
  }

  /** Whether a key has a file, also one that was finished but whose row may not be committed. */
  async has(key: string): Promise<boolean> {
    const names = (await nullIfMissing(readdir(this.folderOf(key)))) ?? [];
    return names.length > 0 || (await exists(this.files.pathOf(key)));
  }

  /** Deletes the files of a key; does nothing if there are none. */
  async delete(key: string): Promise<void> {
    this.keptHashes.delete(key);
    await rm(this.folderOf(key), { recursive: true, force: true });
  }

  /** Returns the key to which a file in the folder belongs; null for other files. */
  keyOf(path: string): string | null {
    const folder = dirname(path);
    return dirname(folder) === this.folder ? folder.slice(this.folder.length + 1).replaceAll('-', '/') : null;
  }

  private folderOf(key: string): string {
    this.files.pathOf(key);
    return join(this.folder, key.replaceAll('/', '-'));
  }

  private async openFile(key: string, path: string, size: number): Promise<FileHandle | null> {
    if (!(await exists(path))) {
      const isTakenOver = (await this.copyLatest(path)) || (await this.takeBack(key, path));
      if (!isTakenOver) return size === 0 ? this.files.createFile(path) : null;
    }
    return open(path, 'r+');
  }

  /** Copies the latest generation and deletes it. The copy shares its blocks where the file system can. */
  private async copyLatest(path: string): Promise<boolean> {
    const folder = dirname(path);
    const generations = (await readdir(folder)).filter((name) => /^\d+$/.test(name));
    const [latest] = generations.sort((a, b) => Number(b) - Number(a));
    if (latest === undefined) return false;
    const copy = join(folder, `copy-${randomUUID()}`);
    try {
      const copying = copyFile(join(folder, latest), copy, constants.COPYFILE_FICLONE).then(() => true);
      // Its writer has just finished it.
      if (!(await nullIfMissing(copying))) return false;
      await syncFile(copy);
      await rename(copy, path);
      await syncFolder(folder);
    } finally {
      await rm(copy, { force: true });
    }
    for (const name of generations) await rm(join(folder, name), { force: true });
    return true;
  }

  /** Continues an object that was finished, but whose row was not committed. */
  private async takeBack(key: string, path: string): Promise<boolean> {
    const renaming = rename(this.files.pathOf(key), path).then(() => true);
    return (await nullIfMissing(renaming)) ?? false;
  }

  private async syncEntry(path: string): Promise<void> {
    for (const folder of [dirname(path), this.folder, this.root.path]) await syncFolder(folder);
  }

  private async publish(path: string, key: string): Promise<boolean> {
    // Distinguishes a deleted file from a disk that is no longer mounted.
    await this.root.assertSameFolder(await this.root.expectedFolder());
    try {
      await this.files.publish(path, key);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !(await exists(path))) return false;
      throw error;
    }
    // Not what is in it: if this writer was suspended, that belongs to its successor.
    await this.root.removeCreated([dirname(path)]);
    return true;
  }
}

/**
 * Removes what was written beyond a size. Asks the open file, because a network file system may know an old size by its
 * path.
 * @returns false, and closes the file, when it is shorter
 */
async function shorten(handle: FileHandle, size: number): Promise<boolean> {
  try {
    const { size: found } = await handle.stat();
    if (found > size) await handle.truncate(size);
    if (found < size) await handle.close();
    return found >= size;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await nullIfMissing(stat(path))) !== null;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
