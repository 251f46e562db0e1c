import { mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Logger } from '@nestjs/common';
import { nullIfExists } from './local-disk.js';
import { storageErrors } from '../storage.errors.js';

/** Distinguishes folders that exist at the same path at different times, such as a disk and its mount point. */
export interface FolderId {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Errors of removing a folder that can be ignored: it no longer exists, or another process has added something to it. */
const IGNORED_REMOVE_ERRORS = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/**
 * The root folder of a local storage, which may be replaced by another at any moment (an unmounted disk). Folders are
 * only created within the expected one.
 */
export class LocalRoot {
  private readonly logger = new Logger('Storage');
  private expected: FolderId | null = null;

  /**
   * @param path absolute
   * @param folderMode permissions of folders created in it
   */
  constructor(
    readonly path: string,
    private readonly folderMode: number,
  ) {}

  /** Returns the folder that is at the path now. */
  async currentFolder(): Promise<FolderId> {
    const { dev, ino } = await stat(this.path, { bigint: true });
    return { device: dev, inode: ino };
  }

  /** Sets the expected folder, after the mark was found in it. */
  setExpected(folder: FolderId): void {
    this.expected = folder;
  }

  /** Returns the expected folder, or the current one when none was set. */
  async expectedFolder(): Promise<FolderId> {
    return this.expected ?? this.currentFolder();
  }

  /** @throws STORAGE_UNAVAILABLE when the expected folder was replaced by another */
  async assertSameFolder(expectedRoot: FolderId): Promise<void> {
    const { device, inode } = await this.currentFolder();
    if (device === expectedRoot.device && inode === expectedRoot.inode) return;
    this.logger.error(`${this.path} is now a different folder: is its disk still mounted?`);
    throw storageErrors.STORAGE_UNAVAILABLE();
  }

  /**
   * Creates a folder, and its missing parents, within the expected root.
   * @returns the created folders, topmost first; none remain if it fails
   */
  async createFolder(folder: string, expectedRoot: FolderId): Promise<string[]> {
    const created: string[] = [];
    try {
      await this.assertSameFolder(expectedRoot);
      await this.createMissing(folder, expectedRoot, created);
      return created;
    } catch (error) {
      await this.removeCreated(created);
      throw error;
    }
  }

  /**
   * Removes folders of `createFolder` unless they are in use. If they were left in a mount point, they would prevent
   * mounting the disk again.
   */
  async removeCreated(created: readonly string[]): Promise<void> {
    for (const folder of created.toReversed()) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (!IGNORED_REMOVE_ERRORS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    }
  }

  private async createMissing(folder: string, expectedRoot: FolderId, created: string[]): Promise<void> {
    // The root is created with its first mark, never here.
    if (folder === this.path) return;
    try {
      await this.createOne(folder, created);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await this.createMissing(dirname(folder), expectedRoot, created);
      await this.createOne(folder, created);
    }
    await this.assertSameFolder(expectedRoot);
  }

  private async createOne(folder: string, created: string[]): Promise<void> {
    const isNew = await nullIfExists(mkdir(folder, { mode: this.folderMode }).then(() => true));
    if (isNew) created.push(folder);
  }
}
