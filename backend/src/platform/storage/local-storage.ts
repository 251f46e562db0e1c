import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { LocalDraft } from './local-draft.js';
import { flushFolder, sound, unlessMissing } from './local-disk.js';
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

  /** @param root absolute path; made when missing */
  constructor(private readonly root: string) {
    super();
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions = {}): Promise<Written> {
    const path = this.pathOf(key);
    const draftPath = join(this.root, UNFINISHED, randomUUID());
    const handle = await sound(async () => {
      await mkdir(dirname(draftPath), { recursive: true, mode: 0o700 });
      return this.create(draftPath);
    });
    const draft = new LocalDraft(handle);
    try {
      const written = await copy(source, draft, options);
      await sound(() => handle.close());
      await sound(() => this.publish(draftPath, path));
      return written;
    } catch (error) {
      await draft.abandon();
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

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    assertPrefix(prefix);
    for await (const path of this.files(join(this.root, ...prefix.split('/').slice(0, -1)))) {
      const key = relative(this.root, path).split(sep).join('/');
      if (!key.startsWith(prefix) || key.startsWith(UNFINISHED)) continue;
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
  private async publish(draft: string, path: string): Promise<void> {
    const folder = dirname(path);
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
    const last = firstMade ? dirname(firstMade) : folder;
    await rename(draft, path);
    try {
      for (let at = folder; at.length >= last.length; at = dirname(at)) await flushFolder(at);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
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

async function copy(source: AsyncIterable<Uint8Array>, draft: LocalDraft, options: WriteOptions): Promise<Written> {
  const { maxBytes = Infinity, onProgress } = options;
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) throw storageErrors.OBJECT_TOO_LARGE();
    await draft.add(chunk);
    onProgress?.(size);
  }
  return { size, sha256: await draft.end() };
}
