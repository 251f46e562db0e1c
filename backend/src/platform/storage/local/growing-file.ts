import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { SECOND } from '../../clock/clock.js';
import { untilFailure } from '../../streams/until-failure.js';
import { MIB } from '../../text/byte-units.js';
import type { FinishedObject, GrowingObject } from '../growing-object.js';
import { BatchWriter } from './batch-writer.js';
import { withStorageErrors } from './local-disk.js';

/**
 * Written bytes are flushed when they are this many, or when they have reached the minimum and the interval has passed.
 * This bounds what a killed process can lose, and how often a fast upload waits for the disk.
 */
const FLUSH_BYTES = 64 * MIB;
const MIN_FLUSH_BYTES = 8 * MIB;
const FLUSH_INTERVAL = 2 * SECOND;
/** Bytes per read when a file is hashed. */
const READ_BYTES = MIB;

/** What the growing files of a folder do for each of them. */
export interface GrowingFileOwner {
  /** Makes the file's entry in its folder survive a power failure. */
  syncEntry(): Promise<void>;
  /** Moves the file to its key; false when it was deleted or taken over. */
  publish(): Promise<boolean>;
  /** Keeps the hash of all bytes for the next writer in this process. */
  keepHash(hash: Hash, size: number): void;
}

/**
 * A file that grows at its end. Bytes are hashed and written while they arrive; flushes run beside the writes, so that
 * a fast source waits only for the last one.
 */
export class GrowingFile implements GrowingObject {
  private readonly batches: BatchWriter;
  /** Size up to which everything is flushed and reported. */
  private durable: number;
  private isEntrySynced = false;
  private isFinished = false;
  private flushing: Promise<void> | null = null;
  private flushedAt = performance.now();
  private failure: { readonly error: unknown } | null = null;

  /** @param hash of the bytes up to `size`; null when it must be computed at the end */
  constructor(
    private readonly key: string,
    private readonly handle: FileHandle,
    public size: number,
    private readonly hash: Hash | null,
    private readonly owner: GrowingFileOwner,
  ) {
    this.batches = new BatchWriter(handle, size);
    this.durable = size;
  }

  async append(source: AsyncIterable<Uint8Array>, onDurable: (size: number) => Promise<void>): Promise<void> {
    const timer = setInterval(() => this.flushIfDue(onDurable), FLUSH_INTERVAL);
    const sourceFailures: unknown[] = [];
    try {
      for await (const chunk of untilFailure(source, (error) => sourceFailures.push(error))) {
        this.hash?.update(chunk);
        await this.batches.add(chunk);
        this.size += chunk.byteLength;
        this.flushIfDue(onDurable);
        await this.limitUnflushed();
      }
      // No flush may begin beside the last one.
      clearInterval(timer);
      await this.flushing;
      this.throwFailure();
      await this.flushRest(onDurable);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    } finally {
      clearInterval(timer);
      await this.waitForWrites();
    }
    if (sourceFailures.length > 0) throw sourceFailures[0];
  }

  async finish(): Promise<FinishedObject | null> {
    const sha256 = this.hash ? this.hash.digest('hex') : await this.hashFile();
    this.isFinished = true;
    await this.handle.close();
    if (!(await withStorageErrors(() => this.owner.publish()))) return null;
    return { objectKey: this.key, size: this.size, sha256 };
  }

  async close(): Promise<void> {
    await this.handle.close();
    if (this.hash && !this.failure && !this.isFinished) this.owner.keepHash(this.hash, this.size);
  }

  /** Starts a flush in the background. Its failure ends `append` with the next chunk. */
  private flushIfDue(onDurable: (size: number) => Promise<void>): void {
    if (this.flushing || this.failure) return;
    const { written } = this.batches;
    const pending = written - this.durable;
    const isOverdue = performance.now() - this.flushedAt >= FLUSH_INTERVAL;
    if (pending < FLUSH_BYTES && !(isOverdue && pending >= MIN_FLUSH_BYTES)) return;
    this.flushing = this.flush(written, onDurable)
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => (this.flushing = null));
  }

  /** A source that is faster than the disk waits for the flush, so that a crash never loses more than two of them. */
  private async limitUnflushed(): Promise<void> {
    if (this.flushing && this.size - this.durable >= 2 * FLUSH_BYTES) await this.flushing;
    this.throwFailure();
  }

  /** After this, everything is flushed. */
  private async flushRest(onDurable: (size: number) => Promise<void>): Promise<void> {
    if (this.size === this.durable) return;
    await this.batches.end();
    await this.flush(this.size, onDurable);
  }

  /** The size is reported only after everything up to it has reached the disk. */
  private async flush(size: number, onDurable: (size: number) => Promise<void>): Promise<void> {
    await withStorageErrors(async () => {
      await this.handle.datasync();
      if (!this.isEntrySynced) await this.owner.syncEntry();
      this.isEntrySynced = true;
    });
    await onDurable(size);
    this.durable = size;
    this.flushedAt = performance.now();
  }

  /** Nothing may write to the file once its writer is told to have ended. */
  private async waitForWrites(): Promise<void> {
    await this.flushing;
    await this.batches.waitForWrites();
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }

  /** Reads the file again: its first bytes were received by another process, or long ago. */
  private async hashFile(): Promise<string> {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    for (let at = 0; at < this.size;) {
      const { bytesRead } = await withStorageErrors(() => this.handle.read(buffer, 0, READ_BYTES, at));
      if (bytesRead === 0) throw new Error('A growing file is shorter than its size.');
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    return hash.digest('hex');
  }
}
