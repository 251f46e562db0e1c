import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import { storageErrors } from './storage.errors.js';
import {
  assertKey,
  assertPrefix,
  Storage,
  type ByteRange,
  type ObjectInfo,
  type WriteOptions,
  type Written,
} from './storage.js';

/** Chunks are gathered up to this many bytes for one system call. */
const BATCH = 512 * 1024;
/** Bytes read ahead of a slow reader. */
const READ_AHEAD = 256 * 1024;
const UNFINISHED = '.unfinished';

const logger = new Logger('Storage');

/** Objects as files under one folder of this machine. */
export class LocalStorage extends Storage {
  readonly type = 'local';

  /** @param root absolute path; made when missing */
  constructor(private readonly root: string) {
    super();
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions = {}): Promise<Written> {
    const path = this.pathOf(key);
    const draft = join(this.root, UNFINISHED, randomUUID());
    const handle = await sound(async () => {
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
      return this.create(draft);
    });
    try {
      const written = await copy(source, handle, options);
      await sound(() => handle.sync());
      await sound(() => handle.close());
      await sound(() => this.publish(draft, path));
      return written;
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await sound(() => open(this.pathOf(key), 'r'));
    return handle.createReadStream({ ...range, highWaterMark: READ_AHEAD });
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

async function copy(source: AsyncIterable<Uint8Array>, handle: FileHandle, options: WriteOptions): Promise<Written> {
  const { maxBytes = Infinity, onProgress } = options;
  const hash = createHash('sha256');
  let size = 0;
  let batch: Uint8Array[] = [];
  let batched = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) throw storageErrors.OBJECT_TOO_LARGE();
    hash.update(chunk);
    batch.push(chunk);
    batched += chunk.byteLength;
    if (batched >= BATCH) {
      await writeAll(handle, batch);
      batch = [];
      batched = 0;
    }
    onProgress?.(size);
  }
  await writeAll(handle, batch);
  return { size, sha256: hash.digest('hex') };
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[]): Promise<void> {
  if (chunks.length === 0) return;
  const total = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const { bytesWritten } = await sound(() => handle.writev(chunks));
  if (bytesWritten === total) return;
  // A disk that fills up takes a part; writing the rest brings out its error.
  await sound(() => handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten)));
}

async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs an operation on the disk; its fault goes to the log and becomes ours to answer. */
async function sound<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof AppError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    logger.error({ err: error }, 'The folder of the files failed');
    throw storageErrors.STORAGE_UNAVAILABLE();
  }
}

async function unlessMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
