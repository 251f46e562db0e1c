import { randomUUID } from 'node:crypto';
import { link, mkdir, open, opendir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { makeDataFolder } from '../config/data-folder.js';
import { StartRefusal } from '../errors/start-refusal.js';
import { MARK } from './identity/storage-mark.js';
import { flushFolder, makeFolder, sound, unlessMissing, unlessThere } from './local-disk.js';
import { writeDraft } from './local-draft.js';
import { LocalRoot, type FolderId } from './local-root.js';
import { sendRange } from './local-sending.js';
import { storageErrors } from './storage.errors.js';
import {
  assertKey,
  assertPrefix,
  Storage,
  type ByteRange,
  type ObjectInfo,
  type OpenObject,
  type WriteOptions,
  type Written,
} from './storage.js';

/** Bytes read ahead of a slow reader. */
const READ_AHEAD = 256 * 1024;
const UNFINISHED = '.unfinished';

/** Objects as files under one folder of this machine. */
export class LocalStorage extends Storage {
  readonly type = 'local';
  /** A disk can go at any moment, and leaves an empty folder that takes everything. */
  override readonly markTrust = 0;
  private readonly folder: LocalRoot;

  /**
   * @param root absolute path; made with the first mark, never later: below a disk that is not mounted nothing is stored
   * @param within the data folder, when `root` lies in it: it may be made as well, with those between; otherwise the one above `root` must be there
   */
  constructor(
    private readonly root: string,
    private readonly within: string | null = null,
  ) {
    super();
    this.folder = new LocalRoot(root);
  }

  async readMark(): Promise<string | null> {
    return sound(async () => {
      const folder = await unlessMissing(this.folder.now());
      const text = folder && (await unlessMissing(readFile(join(this.root, MARK), 'utf8')));
      if (folder && text !== null) this.folder.mean(folder);
      return text;
    });
  }

  async writeMark(text: string, first: boolean): Promise<void> {
    if (first) await this.makeRoot();
    const draft = join(this.root, `.${MARK}-${randomUUID()}`);
    await sound(async () => {
      const folder = first ? await this.folder.now() : await this.folder.meant();
      try {
        await this.draftMark(draft, text);
        // Into the place of a disk that has just gone no mark may be written: it would take everything from then on.
        await this.folder.confirm(folder);
        if (first) await unlessThere(link(draft, join(this.root, MARK)));
        else await rename(draft, join(this.root, MARK));
      } finally {
        await rm(draft, { force: true });
      }
      await flushFolder(this.root);
      this.folder.mean(folder);
    });
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions = {}): Promise<Written> {
    const path = this.pathOf(key);
    const draftPath = join(this.root, UNFINISHED, randomUUID());
    const folder = await sound(() => this.folder.meant());
    const handle = await sound(async () => {
      await this.folder.make(dirname(draftPath), folder);
      return this.create(draftPath);
    });
    try {
      const written = await writeDraft(handle, source, options);
      await sound(() => handle.close());
      await sound(() => this.publish(draftPath, path, folder));
      return written;
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(draftPath, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await sound(() => open(this.pathOf(key), 'r'));
    // A buffer as large as that for a few bytes would be most of what reading many small objects costs.
    const length = range ? range.end - range.start + 1 : READ_AHEAD;
    return handle.createReadStream({ ...range, highWaterMark: Math.min(READ_AHEAD, length) });
  }

  override async openRange(key: string, range: ByteRange): Promise<OpenObject> {
    const handle = await sound(() => open(this.pathOf(key), 'r'));
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
    const handle = await sound(() => open(this.pathOf(key), 'r'));
    try {
      const { bytesRead } = await sound(() => handle.read(bytes, 0, size, 0));
      if (bytesRead < size) throw storageErrors.STORAGE_UNAVAILABLE();
      return bytes;
    } finally {
      await handle.close();
    }
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const found = await sound(() => unlessMissing(stat(this.pathOf(key))));
    return found ? { key, size: found.size, modifiedAt: found.mtime } : null;
  }

  async delete(key: string): Promise<void> {
    await sound(() => rm(this.pathOf(key), { force: true }));
  }

  override async move(from: string, to: string): Promise<boolean> {
    const source = this.pathOf(from);
    if (!(await sound(() => unlessMissing(stat(source))))) return false;
    await sound(async () => this.publish(source, this.pathOf(to), await this.folder.meant()));
    return true;
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    assertPrefix(prefix);
    for await (const path of this.files(join(this.root, ...prefix.split('/').slice(0, -1)))) {
      const key = relative(this.root, path).split(sep).join('/');
      if (!key.startsWith(prefix) || key.startsWith(UNFINISHED) || key.includes(MARK)) continue;
      const found = await sound(() => unlessMissing(stat(path)));
      if (found) yield { key, size: found.size, modifiedAt: found.mtime };
    }
  }

  async removeUnfinished(before: Date): Promise<void> {
    for await (const path of this.files(join(this.root, UNFINISHED))) {
      const found = await sound(() => unlessMissing(stat(path)));
      if (found && found.mtime < before) await sound(() => rm(path, { force: true }));
    }
  }

  /** Opens the file into which an object is first written. */
  protected create(path: string): Promise<FileHandle> {
    return open(path, 'wx', 0o600);
  }

  /** Gives the finished file its name; the folders are flushed too, so that it survives a power cut. */
  private async publish(draft: string, path: string, root: FolderId): Promise<void> {
    const folder = dirname(path);
    const made = await this.folder.make(folder, root);
    const last = made[0] ? dirname(made[0]) : folder;
    try {
      await rename(draft, path);
    } catch (error) {
      await this.folder.unmake(made);
      throw error;
    }
    try {
      for (let at = folder; at.length >= last.length; at = dirname(at)) await flushFolder(at);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  private async draftMark(path: string, text: string): Promise<void> {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private async makeRoot(): Promise<void> {
    if (this.within !== null) {
      makeDataFolder(this.within);
      await sound(() => mkdir(dirname(this.root), { recursive: true, mode: 0o700 }));
    }
    try {
      await makeFolder(this.root);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new StartRefusal(
        `The folder ${dirname(this.root)}, in which STORAGE_URL lies, is not there. Create it or mount its disk. It isn't created automatically.`,
      );
    }
  }

  private pathOf(key: string): string {
    assertKey(key);
    return join(this.root, ...key.split('/'));
  }

  private async *files(folder: string): AsyncIterable<string> {
    const entries = await sound(() => unlessMissing(opendir(folder)));
    if (!entries) return;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* this.files(path);
      else yield path;
    }
  }
}
