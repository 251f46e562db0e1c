import type { FileHandle } from 'node:fs/promises';
import { KIB } from '../../text/byte-units.js';
import { withStorageErrors } from './local-disk.js';

/** Bytes per system call. */
const BATCH_BYTES = 512 * KIB;

/**
 * Writes bytes sequentially with few system calls, alternating between two buffers. Allocating memory for each chunk
 * would cause constant garbage collection.
 */
export class BatchWriter {
  /** Offset in the file up to which everything is written, though not flushed. */
  written: number;
  private batch: Buffer | null = null;
  private spare: Buffer | null = null;
  private filled = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param position offset of the first byte */
  constructor(
    private readonly handle: FileHandle,
    private position = 0,
  ) {
    this.written = position;
  }

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
    if (!this.batch || this.filled === 0) return;
    this.writing = this.writeBatch(this.batch.subarray(0, this.filled), this.position);
    // The next `add` or `end` reports the error. If the source fails first, the rejection must not end the process.
    this.writing.catch(() => undefined);
    this.position += this.filled;
    this.filled = 0;
    [this.batch, this.spare] = [this.spare, this.batch];
  }

  private async writeBatch(bytes: Uint8Array, position: number): Promise<void> {
    // A full disk accepts only a part; writing the rest returns the error.
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await withStorageErrors(() =>
        this.handle.write(bytes, at, bytes.byteLength - at, position + at),
      );
      at += bytesWritten;
    }
    this.written = position + bytes.byteLength;
  }
}
