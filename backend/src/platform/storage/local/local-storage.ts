import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, open, opendir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ensureDataFolder } from '../../config/data-folder.js';
import { StartupError } from '../../errors/startup-error.js';
import { MARK_OBJECT_NAME } from '../ownership/storage-mark.js';
import type { GrowingObject, GrowingState } from '../growing-object.js';
import { GrowingFiles } from './growing-files.js';
import { syncFolder, ensureFolder, withStorageErrors, nullIfMissing, nullIfExists } from './local-disk.js';
import { writeDraft } from './local-draft.js';
import { LocalRoot, type FolderId } from './local-root.js';
import { sendRange } from './send-range.js';
import { storageErrors } from '../storage.errors.js';
import {
  assertObjectKey,
  assertPrefix,
  Storage,
  type ByteRange,
  type FindReferenced,
  type ObjectInfo,
  type OpenObject,
  type WriteOptions,
  type WriteResult,
} from '../storage.js';

/** Bytes buffered ahead of a slow client. */
const READ_AHEAD = 256 * 1024;
const UNFINISHED_FOLDER = '.unfinished';
/** Errors of file systems that have no hard links, or no more for this file. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Stores objects as files in a folder of this machine. */
export class LocalStorage extends Storage {
  readonly type = 'local';
  /** No caching: a disk can disappear at any moment, leaving an empty mount point that accepts writes. */
  override readonly markCacheTime = 0;
  override readonly canGrow = true;
  private readonly rootFolder: LocalRoot;
  private readonly growingFiles: GrowingFiles;

  /**
   * @param root absolute path; created with the first mark, never later, so that nothing is stored in the mount point
   *   of an unmounted disk
   * @param within the data folder when `root` is inside it: it may be created as well, with the folders in between;
   *   otherwise the parent of `root` must exist
   * @param isGroupReadable whether the group of the folder may read objects: that of a web server that sends them
   */
  constructor(
    private readonly root: string,
    private readonly within: string | null = null,
    private readonly isGroupReadable = false,
  ) {
    super();
    this.rootFolder = new LocalRoot(root, this.folderMode);
    this.growingFiles = new GrowingFiles(join(root, UNFINISHED_FOLDER), this.rootFolder, {
      pathOf: (key) => this.pathOf(key),
      createFile: (path) => this.openDraft(path),
      publish: async (path, key) => this.publish(path, this.pathOf(key), await this.rootFolder.expectedFolder(), false),
    });
  }

  override get folders(): readonly string[] {
    return [this.root];
  }

  async readMark(): Promise<string | null> {
    return withStorageErrors(async () => {
      const folder = await nullIfMissing(this.rootFolder.currentFolder());
      const text = folder && (await nullIfMissing(readFile(join(this.root, MARK_OBJECT_NAME), 'utf8')));
      if (folder && text !== null) this.rootFolder.setExpected(folder);
      return text;
    });
  }

  async writeMark(text: string, first: boolean): Promise<void> {
    if (first) await this.createRoot();
    const draft = join(this.root, `.${MARK_OBJECT_NAME}-${randomUUID()}`);
    await withStorageErrors(async () => {
      const folder = first ? await this.rootFolder.currentFolder() : await this.rootFolder.expectedFolder();
      try {
        await this.writeMarkDraft(draft, text);
        // If a disk was just unmounted, the mark must not be written to its mount point, which would then accept
        // everything.
        await this.rootFolder.assertSameFolder(folder);
        if (first) await nullIfExists(link(draft, join(this.root, MARK_OBJECT_NAME)));
        else await rename(draft, join(this.root, MARK_OBJECT_NAME));
      } finally {
        await rm(draft, { force: true });
      }
      await syncFolder(this.root);
      this.rootFolder.setExpected(folder);
    });
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions = {}): Promise<WriteResult> {
    const path = this.pathOf(key);
    const draftPath = join(this.root, UNFINISHED_FOLDER, randomUUID());
    const folder = await withStorageErrors(() => this.rootFolder.expectedFolder());
    const handle = await withStorageErrors(async () => {
      await this.rootFolder.createFolder(dirname(draftPath), folder);
      return this.openDraft(draftPath);
    });
    try {
      const written = await writeDraft(handle, source, options);
      await withStorageErrors(() => handle.close());
      await withStorageErrors(() => this.publish(draftPath, path, folder, true));
      return written;
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(draftPath, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  override openGrowing(key: string, state: GrowingState): Promise<GrowingObject | null> {
    return withStorageErrors(() => this.growingFiles.open(key, state));
  }

  override hasUnfinished(key?: string): Promise<boolean> {
    return withStorageErrors(async () => {
      if (key !== undefined) return this.growingFiles.has(key);
      for await (const path of this.walkFiles(join(this.root, UNFINISHED_FOLDER)))
        if (this.growingFiles.keyOf(path) !== null) return true;
      return false;
    });
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await withStorageErrors(() => open(this.pathOf(key), 'r'));
    // For a few bytes, allocating a full buffer would be most of the cost of reading many small objects.
    const length = range ? range.end - range.start + 1 : READ_AHEAD;
    return handle.createReadStream({ ...range, highWaterMark: Math.min(READ_AHEAD, length) });
  }

  override async openRange(key: string, range: ByteRange): Promise<OpenObject> {
    const handle = await withStorageErrors(() => open(this.pathOf(key), 'r'));
    return {
      sendTo: async (target) => {
        try {
          return await sendRange(handle, range, target);
        } finally {
          await handle.close();
        }
      },
    };
  }

  override async readWhole(key: string, size: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(size);
    const handle = await withStorageErrors(() => open(this.pathOf(key), 'r'));
    try {
      const { bytesRead } = await withStorageErrors(() => handle.read(bytes, 0, size, 0));
      if (bytesRead < size) throw storageErrors.STORAGE_UNAVAILABLE();
      return bytes;
    } finally {
      await handle.close();
    }
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const found = await withStorageErrors(() => nullIfMissing(stat(this.pathOf(key))));
    return found ? { key, size: found.size, modifiedAt: found.mtime } : null;
  }

  async delete(key: string): Promise<void> {
    await withStorageErrors(async () => {
      // First, because its writer may be about to move it to the key.
      await this.growingFiles.delete(key);
      await rm(this.pathOf(key), { force: true });
    });
  }

  override async move(from: string, to: string): Promise<boolean> {
    const source = this.pathOf(from);
    if (!(await withStorageErrors(() => nullIfMissing(stat(source))))) return false;
    await withStorageErrors(async () =>
      this.publish(source, this.pathOf(to), await this.rootFolder.expectedFolder(), false),
    );
    return true;
  }

  /** Objects never change, so both can share their bytes. On file systems without hard links the bytes are copied. */
  override async copy(from: string, to: string): Promise<void> {
    const [source, path] = [this.pathOf(from), this.pathOf(to)];
    await withStorageErrors(async () => {
      const folder = await this.rootFolder.expectedFolder();
      try {
        await this.publishBy(() => this.linkFile(source, path), path, folder, true);
      } catch (error) {
        if (!WITHOUT_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        await this.copyBytes(source, path, folder);
      }
    });
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    assertPrefix(prefix);
    for await (const path of this.walkFiles(join(this.root, ...prefix.split('/').slice(0, -1)))) {
      const key = relative(this.root, path).split(sep).join('/');
      if (!key.startsWith(prefix) || key.startsWith(UNFINISHED_FOLDER) || key.includes(MARK_OBJECT_NAME)) continue;
      const found = await withStorageErrors(() => nullIfMissing(stat(path)));
      if (found) yield { key, size: found.size, modifiedAt: found.mtime };
    }
  }

  async removeUnfinished(before: Date, findReferenced?: FindReferenced): Promise<void> {
    for await (const path of this.walkFiles(join(this.root, UNFINISHED_FOLDER))) {
      const found = await withStorageErrors(() => nullIfMissing(stat(path)));
      if (!found || found.mtime >= before) continue;
      const key = this.growingFiles.keyOf(path);
      if (key === null) await withStorageErrors(() => rm(path, { force: true }));
      else if (!(await findReferenced?.([key]))?.length) await withStorageErrors(() => this.growingFiles.delete(key));
    }
  }

  /** Opens the temporary file to which an object is written first. */
  protected openDraft(path: string): Promise<FileHandle> {
    return open(path, 'wx+', this.isGroupReadable ? 0o640 : 0o600);
  }

  /** Gives a file a second name. */
  protected linkFile(source: string, path: string): Promise<void> {
    return link(source, path);
  }

  private async copyBytes(source: string, path: string, root: FolderId): Promise<void> {
    const draftPath = join(this.root, UNFINISHED_FOLDER, randomUUID());
    await this.rootFolder.createFolder(dirname(draftPath), root);
    try {
      const handle = await this.openDraft(draftPath);
      try {
        await copyFile(source, draftPath);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.publish(draftPath, path, root, true);
    } catch (error) {
      await rm(draftPath, { force: true });
      throw error;
    }
  }

  private get folderMode(): number {
    return this.isGroupReadable ? 0o750 : 0o700;
  }

  /**
   * Renames the finished file. Flushes the folders too, so that it survives a power failure.
   * @param isNew removes the file if that fails; false for files whose bytes nobody will send again
   */
  private publish(draft: string, path: string, root: FolderId, isNew: boolean): Promise<void> {
    return this.publishBy(() => rename(draft, path), path, root, isNew);
  }

  /** @param place creates the entry of the file */
  private async publishBy(place: () => Promise<void>, path: string, root: FolderId, isNew: boolean): Promise<void> {
    const folder = dirname(path);
    const created = await this.rootFolder.createFolder(folder, root);
    const last = created[0] ? dirname(created[0]) : folder;
    try {
      await place();
    } catch (error) {
      await this.rootFolder.removeCreated(created);
      throw error;
    }
    try {
      for (let at = folder; at.length >= last.length; at = dirname(at)) await syncFolder(at);
    } catch (error) {
      if (isNew) await rm(path, { force: true });
      throw error;
    }
  }

  private async writeMarkDraft(path: string, text: string): Promise<void> {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private async createRoot(): Promise<void> {
    if (this.within !== null) {
      ensureDataFolder(this.within);
      await withStorageErrors(() => mkdir(dirname(this.root), { recursive: true, mode: 0o700 }));
    }
    try {
      await ensureFolder(this.root, this.folderMode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new StartupError(
        `The folder ${dirname(this.root)}, which contains STORAGE_URL, doesn't exist. Create it or mount its disk. It isn't created automatically.`,
      );
    }
  }

  private pathOf(key: string): string {
    assertObjectKey(key);
    return join(this.root, ...key.split('/'));
  }

  private async *walkFiles(folder: string): AsyncIterable<string> {
    const entries = await withStorageErrors(() => nullIfMissing(opendir(folder)));
    if (!entries) return;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* this.walkFiles(path);
      else yield path;
    }
  }
}
