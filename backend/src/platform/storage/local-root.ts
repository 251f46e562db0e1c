import { mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Logger } from '@nestjs/common';
import { nullIfExists } from './local-disk.js';
import { storageErrors } from './storage.errors.js';

/** Tells two folders apart that lie at one path one after the other, as a disk and the place where it is mounted. */
export interface FolderId {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Why a folder cannot be removed that is none of our concern: it is gone, or somebody else has put something into it. */
const IGNORED_REMOVE_ERRORS = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/** The folder of a local storage, which can be another one at any moment: folders are made in the one that was meant, or not at all. */
export class LocalRoot {
  private readonly logger = new Logger('Storage');
  private expected: FolderId | null = null;

  /** @param path absolute */
  constructor(readonly path: string) {}

  /** What lies at the path now. */
  async currentFolder(): Promise<FolderId> {
    const { dev, ino } = await stat(this.path, { bigint: true });
    return { device: dev, inode: ino };
  }

  /** The mark was found in this folder: it is the one that is meant from now on. */
  setExpected(folder: FolderId): void {
    this.expected = folder;
  }

  /** The folder that is meant: that of the mark, or what lies there when none was looked for. */
  async expectedFolder(): Promise<FolderId> {
    return this.expected ?? this.currentFolder();
  }

  /** @throws STORAGE_UNAVAILABLE when another folder has come into the place of the one that was meant */
  async assertSameFolder(meant: FolderId): Promise<void> {
    const { device, inode } = await this.currentFolder();
    if (device === meant.device && inode === meant.inode) return;
    this.logger.error(`Another folder has come into the place of ${this.path}: is its disk still mounted?`);
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /**
   * Makes a folder below the one that was meant, with those between.
   * @returns those that were made, the highest first; none of them when it fails
   */
  async createFolder(folder: string, meant: FolderId): Promise<string[]> {
    const made: string[] = [];
    try {
      await this.assertSameFolder(meant);
      await this.createMissing(folder, meant, made);
      return made;
    } catch (error) {
      await this.removeCreated(made);
      throw error;
    }
  }

  /** Takes back what `make` has made, unless it is in use: left in the place of a disk it would hinder its coming back. */
  async removeCreated(made: readonly string[]): Promise<void> {
    for (const folder of made.toReversed()) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (!IGNORED_REMOVE_ERRORS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    }
  }

  private async createMissing(folder: string, meant: FolderId, made: string[]): Promise<void> {
    // The folder itself is made with its first mark, never here.
    if (folder === this.path) return;
    try {
      await this.createOne(folder, made);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await this.createMissing(dirname(folder), meant, made);
      await this.createOne(folder, made);
    }
    await this.assertSameFolder(meant);
  }

  private async createOne(folder: string, made: string[]): Promise<void> {
    const isNew = await nullIfExists(mkdir(folder, { mode: 0o700 }).then(() => true));
    if (isNew) made.push(folder);
  }
}
