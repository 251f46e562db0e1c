import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors/app-error.js';
import type { DiskReserve } from '../disk-reserve.js';
import type { ReferencedObjects } from '../ownership/referenced-objects.js';
import { parseMark } from '../ownership/storage-mark.js';
import type { ObjectInfo, Storage, WriteResult } from '../storage.js';
import { StorageMoveError } from './storage-move.error.js';
import type { StorageMoveProgress } from './storage-move.repository.js';

/** Objects copied at once. */
const CONCURRENCY = 8;
/** Objects whose rows are looked up at once. */
const BATCH_SIZE = 500;

/** One of the two storages of a move. */
export interface MovePlace {
  readonly storage: Storage;
  readonly url: string;
}

export interface CopierOptions {
  readonly source: MovePlace;
  readonly target: MovePlace;
  /** Id of the installation in the marks of both. */
  readonly installation: string;
  readonly objects: ReferencedObjects;
  /** Disk space that must be left at the target; null for a bucket. */
  readonly reserve: DiskReserve | null;
  /** Delays before a failed object is tried again, in milliseconds. */
  readonly retryPauses: readonly number[];
  readonly signal: AbortSignal;
}

interface PassOptions {
  /** The last prefix that an interrupted pass has completed. */
  readonly cursor: string;
  /** Deletes objects that only the target has, because they were deleted from the source. */
  readonly removesExtras: boolean;
  /** Reads the existing objects of the first prefix again, because the pass before was interrupted in it. */
  readonly isResumed: boolean;
  /** Called when all keys with a prefix are compared. */
  readonly onPrefix: (cursor: string) => Promise<void>;
  /** Throws if new objects may have been written to the target. */
  readonly assertNotSwitched: () => Promise<void>;
}

/** Objects and bytes with a prefix, or in total. */
interface Count {
  objects: number;
  bytes: number;
}

/**
 * Makes the target have every object of the source. Every copy is read back and compared by its SHA-256. Keys are
 * processed by prefix (256 per family), in order.
 */
export class ObjectCopier {
  /** Keys of copied objects whose bytes differ from the SHA-256 of their row: they were damaged in the source. */
  readonly damaged: string[] = [];
  private readonly total: Count = { objects: 0, bytes: 0 };
  private readonly done: Count = { objects: 0, bytes: 0 };

  constructor(private readonly options: CopierOptions) {}

  get progress(): StorageMoveProgress {
    const { total, done } = this;
    return {
      copiedObjects: done.objects,
      copiedBytes: done.bytes,
      // More may have been stored since they were counted.
      totalObjects: Math.max(total.objects, done.objects),
      totalBytes: Math.max(total.bytes, done.bytes),
    };
  }

  /**
   * Copies what the target lacks.
   * @throws StorageMoveError if a storage fails, or isn't the one of the move; the reason of the signal when aborted
   */
  async copyAll({ cursor, removesExtras, isResumed, onPrefix, assertNotSwitched }: PassOptions): Promise<void> {
    const prefixes = await this.withRetries(() => this.countObjects(removesExtras));
    let isFirst = isResumed;
    for (const [prefix, count] of prefixes) {
      if (cursor !== '' && prefix <= cursor) {
        add(this.done, count);
        continue;
      }
      const extras = await this.copyPrefix(prefix, isFirst);
      isFirst = false;
      // After they were listed: another command may have switched if this one has lost its lock.
      if (removesExtras && extras.length > 0) await assertNotSwitched();
      if (removesExtras) await this.removeExtras(extras);
      await onPrefix(prefix);
    }
  }

  /**
   * Deletes the objects of the source that the target has.
   * @returns whether the source is empty
   */
  async removeCopied(): Promise<boolean> {
    const { source, target } = this.options;
    for (const [prefix] of await this.countObjects(false)) {
      const copies = await this.listSizes(target, prefix);
      for (const [key, size] of await this.listSizes(source, prefix)) {
        this.options.signal.throwIfAborted();
        if (copies.get(key) === size) await source.storage.delete(key);
      }
    }
    return (await this.countObjects(false)).length === 0;
  }

  /** Returns the prefixes in order. A storage that isn't mounted looks empty, so the marks are checked afterwards. */
  private async countObjects(withTarget: boolean): Promise<[string, Count][]> {
    const { source, target, signal } = this.options;
    const counts = new Map<string, Count>();
    const countOf = (key: string) => {
      const prefix = toPrefix(key);
      const count = counts.get(prefix) ?? { objects: 0, bytes: 0 };
      counts.set(prefix, count);
      return count;
    };
    [this.total.objects, this.total.bytes, this.done.objects, this.done.bytes] = [0, 0, 0, 0];
    for await (const { key, size } of this.list(source, '')) {
      signal.throwIfAborted();
      add(countOf(key), { objects: 1, bytes: size });
      add(this.total, { objects: 1, bytes: size });
    }
    if (withTarget) for await (const { key } of this.list(target, '')) countOf(key);
    await this.assertOwned();
    return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** @returns the keys that only the target has */
  private async copyPrefix(prefix: string, isRecheck: boolean): Promise<string[]> {
    const { source, target } = this.options;
    const copies = await this.withRetries(() => this.listSizes(target, prefix));
    const missing: CopiedObject[] = [];
    const unchecked: CopiedObject[] = [];
    for (const [key, size] of await this.withRetries(() => this.listSizes(source, prefix))) {
      if (toPrefix(key) !== prefix) continue;
      const object = { key, size };
      const isThere = copies.get(key) === size;
      copies.delete(key);
      if (isThere && !isRecheck) add(this.done, { objects: 1, bytes: size });
      else (isThere ? unchecked : missing).push(object);
    }
    await this.assertOwned();
    await this.forEach(unchecked, async (object, expected) => {
      if (await this.isIntact(object, expected)) add(this.done, { objects: 1, bytes: object.size });
      else await this.copy(object, expected);
    });
    await this.forEach(missing, (object, expected) => this.copy(object, expected));
    return [...copies.keys()].filter((key) => toPrefix(key) === prefix);
  }

  private async removeExtras(keys: readonly string[]): Promise<void> {
    const { source, target } = this.options;
    for (const key of keys) {
      await this.withRetries(async () => {
        if (!(await source.storage.stat(key))) await target.storage.delete(key);
      });
    }
  }

  /** @param work gets the SHA-256 of the object's row, if there is one */
  private async forEach(
    objects: readonly CopiedObject[],
    work: (object: CopiedObject, expected: string | undefined) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < objects.length; at += BATCH_SIZE) {
      const batch = objects.slice(at, at + BATCH_SIZE);
      const hashes = await this.options.objects.findHashes(batch.map(({ key }) => key));
      const failures: unknown[] = [];
      const queue = batch.values();
      const runWorker = async () => {
        try {
          for (const object of queue) {
            this.options.signal.throwIfAborted();
            if (failures.length > 0) return;
            await work(object, hashes.get(object.key));
          }
        } catch (error) {
          failures.push(error);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, runWorker));
      if (failures.length > 0) throw failures[0];
    }
  }

  private async copy(object: CopiedObject, expected: string | undefined): Promise<void> {
    const written = await this.withRetries(() => this.transfer(object));
    if (written === null) return;
    if (expected !== undefined && written.sha256 !== expected) this.damaged.push(object.key);
    add(this.done, { objects: 1, bytes: object.size });
  }

  /** @returns null if the object was deleted in the meantime */
  private async transfer({ key, size }: CopiedObject): Promise<WriteResult | null> {
    const { source, target, reserve } = this.options;
    const stream = await this.openSource(key);
    if (stream === null) return null;
    const failures: unknown[] = [];
    const bytes = this.untilAborted(stream, failures);
    let written: WriteResult;
    try {
      await reserve?.assertFreeSpace();
      written = await target.storage.write(key, reserve ? reserve.guardStream(bytes) : bytes);
    } catch (error) {
      this.options.signal.throwIfAborted();
      throw failures.length > 0 ? this.sourceFailure(key) : this.targetFailure(error);
    } finally {
      stream.destroy();
    }
    const copy = await this.hashCopy(key);
    if (written.size !== size || copy !== written.sha256) {
      await target.storage.delete(key);
      throw new StorageMoveError(`${target.url} returned other bytes of ${key} than were written. Check the storage.`);
    }
    // Deleting begins in the source, so either this sees it or the copy is deleted too.
    if (await source.storage.stat(key)) return written;
    await target.storage.delete(key);
    return null;
  }

  private async listSizes(place: MovePlace, prefix: string): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const { key, size } of this.list(place, prefix)) sizes.set(key, size);
    return sizes;
  }

  private async *list({ storage, url }: MovePlace, prefix: string): AsyncGenerator<ObjectInfo> {
    const objects = storage.list(prefix)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await objects.next().catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        throw new StorageMoveError(`Couldn't list the objects in ${url}. ${RESUME}`);
      });
      if (done) return;
      yield value as ObjectInfo;
    }
  }

  private async openSource(key: string) {
    const { storage } = this.options.source;
    try {
      return await storage.read(key);
    } catch {
      if (!(await storage.stat(key).catch(() => true))) return null;
      throw this.sourceFailure(key);
    }
  }

  private async hashCopy(key: string): Promise<string> {
    try {
      return await hashObject(this.options.target.storage, key, this.options.signal);
    } catch (error) {
      this.options.signal.throwIfAborted();
      throw this.targetFailure(error);
    }
  }

  private async isIntact({ key }: CopiedObject, expected: string | undefined): Promise<boolean> {
    const { source, signal } = this.options;
    const copy = await this.hashCopy(key);
    if (copy === expected) return true;
    try {
      return copy === (await hashObject(source.storage, key, signal));
    } catch {
      return false;
    }
  }

  private async *untilAborted(stream: AsyncIterable<Uint8Array>, failures: unknown[]): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) {
        this.options.signal.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  private async withRetries<T>(work: () => Promise<T>): Promise<T> {
    const { retryPauses, signal } = this.options;
    const attempt = async () => {
      try {
        return await work();
      } catch (error) {
        throw error instanceof AppError ? this.targetFailure(error) : error;
      }
    };
    for (const delay of retryPauses) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof StorageMoveError)) throw error;
        await pause(delay, undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
      }
    }
    return attempt();
  }

  /** @throws StorageMoveError if a storage isn't that of the installation, or is not mounted */
  private async assertOwned(): Promise<void> {
    const { source, target, installation } = this.options;
    for (const { storage, url } of [source, target]) {
      const text = await storage.readMark().catch(() => undefined);
      if (text === undefined) throw new StorageMoveError(`Couldn't reach ${url}. ${RESUME}`);
      if (text !== null && parseMark(text)?.installation === installation) continue;
      throw new StorageMoveError(`${url} is not the storage of this installation. Is its disk mounted? ${RESUME}`);
    }
  }

  private sourceFailure(key: string): StorageMoveError {
    return new StorageMoveError(`Couldn't read ${key} from ${this.options.source.url}. ${RESUME}`);
  }

  private targetFailure(error: unknown): StorageMoveError {
    const { url } = this.options.target;
    const isFull = error instanceof AppError && error.code === 'DISK_FULL';
    const reason = isFull
      ? `The disk of ${url} is full (DISK_RESERVE counts as full).`
      : `Couldn't write to ${url} or read what was written. Check that it can be reached, is writable and has free space.`;
    return new StorageMoveError(`${reason} ${RESUME}`);
  }
}

const RESUME = 'Nothing is lost: continue with npm run storage -- move';

type CopiedObject = Pick<ObjectInfo, 'key' | 'size'>;

const toPrefix = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

function add(sum: Count, { objects, bytes }: Count): void {
  sum.objects += objects;
  sum.bytes += bytes;
}

async function hashObject(storage: Storage, key: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of (await storage.read(key)) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
