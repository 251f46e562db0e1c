import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BackgroundHash } from './background-hash.js';
import { BLOCK, freeBlock, keepBlock, takeBlock } from './blocks.js';
import { sound } from './local-disk.js';

/** Blocks of one draft on their way to the disk; then a sender who is faster waits. */
const ON_THEIR_WAY = 3;
/** Bytes of a block that are worth a system call of their own; fewer are gathered with what comes next. */
const WORTHWHILE = BLOCK / 4;
/** After so many bytes the disk begins to take them, so that little is left to wait for at the end. */
const FLUSH_EVERY = 16 * 1024 * 1024;

/**
 * A file that is being written. Receiving, hashing and writing go on beside each other, in few buffers that are used
 * again; a sender who is faster than the disk waits.
 */
export class LocalDraft {
  /** Where small pieces are gathered. */
  private batch: Buffer | null = null;
  private filled = 0;
  private position = 0;
  private flushedTo = 0;
  /** Made with the second batch: what fits into one is hashed where it lies. */
  private hash: BackgroundHash | null = null;
  /** What happens to each batch on its way, the oldest first. */
  private readonly onTheirWay: Promise<void>[] = [];
  private flushed: Promise<void> = Promise.resolve();

  constructor(private readonly handle: FileHandle) {}

  /**
   * Takes the bytes, and waits when they come faster than they can be written. They may be changed afterwards, unless
   * they lie in a block, which is kept until they are written.
   * @throws STORAGE_UNAVAILABLE when earlier ones could not be written
   */
  async add(bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength >= WORTHWHILE && keepBlock(bytes)) {
      await this.next();
      return this.dispatch(bytes);
    }
    for (let rest = bytes; rest.byteLength > 0;) {
      if (this.filled === BLOCK) await this.next();
      this.batch ??= takeBlock();
      const piece = rest.subarray(0, BLOCK - this.filled);
      this.batch.set(piece, this.filled);
      this.filled += piece.byteLength;
      rest = rest.subarray(piece.byteLength);
    }
  }

  /**
   * Resolves when all is on the disk; gives the SHA-256 in lower-case hex.
   * @throws STORAGE_UNAVAILABLE
   */
  async end(): Promise<string> {
    const last = this.gathered();
    const digest = this.hash
      ? null
      : createHash('sha256')
          .update(last ?? '')
          .digest('hex');
    if (last) this.send(last);
    await Promise.all(this.onTheirWay);
    await this.flushed;
    await sound(() => this.handle.sync());
    return digest ?? (await this.close());
  }

  /** Lets go of what is on its way, when nothing is to come of it. */
  async abandon(): Promise<void> {
    await Promise.allSettled([...this.onTheirWay, this.flushed]);
    await this.close().catch(() => undefined);
  }

  /** The last word to the thread, without which it would remember the draft. */
  private async close(): Promise<string> {
    const hash = this.hash;
    this.hash = null;
    return hash ? hash.digest() : '';
  }

  /** Sends what is gathered on its way, and waits until one more block may follow. */
  private async next(): Promise<void> {
    const last = this.gathered();
    if (last) await this.dispatch(last);
  }

  /** Sends bytes of a block on their way; as soon as one of few is free. */
  private async dispatch(bytes: Uint8Array): Promise<void> {
    this.hash ??= new BackgroundHash();
    this.send(bytes);
    while (this.onTheirWay.length >= ON_THEIR_WAY) await this.onTheirWay.shift();
  }

  private gathered(): Uint8Array | null {
    const bytes = this.batch?.subarray(0, this.filled) ?? null;
    this.batch = null;
    this.filled = 0;
    return bytes;
  }

  private send(bytes: Uint8Array): void {
    const { position } = this;
    this.position += bytes.byteLength;
    // Each has its own place in the file, so none waits for the one before, which the serving thread would have to end.
    const written = writeAll(this.handle, bytes, position);
    // Both must have ended before the block may be used again, also when one fails.
    const done = bothOf(written, this.hash?.update(bytes)).finally(() => freeBlock(bytes));
    // Whoever adds or ends next meets the fault; a source that breaks off before must not end the process by it.
    done.catch(() => undefined);
    this.onTheirWay.push(done);
    if (this.position - this.flushedTo >= FLUSH_EVERY) this.flush();
  }

  /** Only a beginning: what is not yet written then comes with the next one, and all with the end. */
  private flush(): void {
    this.flushedTo = this.position;
    this.flushed = this.flushed.then(() => sound(() => this.handle.datasync()));
    this.flushed.catch(() => undefined);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  // A disk that fills up takes a part; writing the rest brings out its error.
  for (let at = 0; at < bytes.byteLength;) {
    const left = bytes.byteLength - at;
    const { bytesWritten } = await sound(() => handle.write(bytes, at, left, position + at));
    at += bytesWritten;
  }
}

async function bothOf(...both: (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(both)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
