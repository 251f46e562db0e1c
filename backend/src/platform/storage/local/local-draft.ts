import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { KIB } from '../../text/byte-units.js';
import { withStorageErrors } from './local-disk.js';
import { storageErrors } from '../storage.errors.js';
import type { WriteOptions, WriteResult } from '../storage.js';

/** Bytes per system call. */
const BATCH_BYTES = 512 * KIB;

/**
 * Writes a source into a new file and flushes it. While one batch is written, the next is buffered and hashed; a source
 * that is faster than the disk has to wait.
 * @throws OBJECT_TOO_LARGE, STORAGE_UNAVAILABLE, and whatever the source throws
 */
export async function writeDraft(
  handle: FileHandle,
  source: AsyncIterable<Uint8Array>,
  { maxBytes = Infinity, onProgress }: WriteOptions,
): Promise<WriteResult> {
  const hash = createHash('sha256');
  const batches = new BatchWriter(handle);
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > maxBytes) throw storageErrors.OBJECT_TOO_LARGE();
      hash.update(chunk);
      await batches.add(chunk);
      onProgress?.(size);
    }
    await batches.end();
  } catch (error) {
    await batches.waitForWrites();
    throw error;
  }
  await withStorageErrors(() => handle.sync());
  return { size, sha256: hash.digest('hex') };
}

/**
 * Writes bytes sequentially with few system calls, alternating between two buffers. Allocating memory for each chunk
 * would cause constant garbage collection.
 */
class BatchWriter {
  private batch: Buffer | null = null;
  private spare: Buffer | null = null;
  private filled = 0;
  private position = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly handle: FileHandle) {}

  /** Copies the bytes; waits for the previous batch when this one is full. */
  async add(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.byteLength > 0;) {
      this.batch ??= Buffer.allocUnsafeSlow(BATCH_BYTES);
      const chunk = rest.subarray(0, BATCH_BYTES - this.filled);
      this.batch.set(chunk, this.filled);
      this.filled += chunk.byteLength;
      rest = rest.subarray(chunk.byteLength);
      if (this.filled === BATCH_BYTES) await this.flushBatch();
    }
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.flushBatch();
    await this.writing;
  }

  /** Resolves when no write is running, whether or not it succeeded. */
  async waitForWrites(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async flushBatch(): Promise<void> {
    await this.writing;
    if (!this.batch) return;
    this.writing = writeAll(this.handle, this.batch.subarray(0, this.filled), this.position);
    // The next `add` or `end` reports the error. If the source fails first, the rejection must not end the process.
    this.writing.catch(() => undefined);
    this.position += this.filled;
    this.filled = 0;
    [this.batch, this.spare] = [this.spare, this.batch];
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  // A full disk accepts only a part; writing the rest returns the error.
  for (let at = 0; at < bytes.byteLength;) {
    const { bytesWritten } = await withStorageErrors(() =>
      handle.write(bytes, at, bytes.byteLength - at, position + at),
    );
    at += bytesWritten;
  }
}
