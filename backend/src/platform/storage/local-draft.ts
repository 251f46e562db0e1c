import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BackgroundHash } from './background-hash.js';
import { sound } from './local-disk.js';

/** Bytes gathered for one system call and one message to the thread that hashes. */
const BATCH = 512 * 1024;
/** Batches of one draft: one is filled while others are written and hashed. */
const BATCHES = 3;
/** After so many bytes the disk begins to take them, so that little is left to wait for at the end. */
const FLUSH_EVERY = 32 * 1024 * 1024;
/** Batches that are kept for the next draft. */
const IDLE_BATCHES = 12;

const idle: Buffer[] = [];

/**
 * A file that is being written. Receiving, hashing and writing go on beside each other, in few buffers that are used
 * again; a sender who is faster than the disk waits.
 */
export class LocalDraft {
  private batch: Buffer = takeBatch();
  private filled = 0;
  private position = 0;
  private flushedTo = 0;
  /** Made with the second batch: what fits into one is hashed where it lies. */
  private hash: BackgroundHash | null = null;
  /** What happens to each batch on its way, the oldest first. */
  private readonly onTheirWay: Promise<void>[] = [];
  private written: Promise<void> = Promise.resolve();
  private flushed: Promise<void> = Promise.resolve();

  constructor(private readonly handle: FileHandle) {}

  /**
   * Takes a copy of the bytes, and waits when they come faster than they can be written.
   * @throws STORAGE_UNAVAILABLE when earlier ones could not be written
   */
  async add(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.byteLength > 0;) {
      if (this.filled === BATCH) await this.next();
      const piece = rest.subarray(0, BATCH - this.filled);
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
    const last = this.batch.subarray(0, this.filled);
    const digest = this.hash ? null : createHash('sha256').update(last).digest('hex');
    this.send();
    await Promise.all(this.onTheirWay);
    await this.flushed;
    await sound(() => this.handle.sync());
    return digest ?? (await this.close());
  }

  /** Lets go of what is on its way, when nothing is to come of it. */
  async abandon(): Promise<void> {
    await Promise.allSettled([...this.onTheirWay, this.written, this.flushed]);
    await this.close().catch(() => undefined);
  }

  /** The last word to the thread, without which it would remember the draft. */
  private async close(): Promise<string> {
    const hash = this.hash;
    this.hash = null;
    return hash ? hash.digest() : '';
  }

  /** Sends the batch on its way and takes another one; as soon as one of few is free. */
  private async next(): Promise<void> {
    this.hash ??= new BackgroundHash();
    this.send();
    while (this.onTheirWay.length >= BATCHES) await this.onTheirWay.shift();
    this.batch = takeBatch();
    this.filled = 0;
  }

  private send(): void {
    const { batch, position } = this;
    const bytes = batch.subarray(0, this.filled);
    this.position += bytes.byteLength;
    const before = this.written;
    this.written = before.then(() => writeAll(this.handle, bytes, position));
    const done = Promise.all([this.written, this.hash?.update(bytes)]).then(() => giveBack(batch));
    // Whoever adds or ends next meets the fault; a source that breaks off before must not end the process by it.
    done.catch(() => undefined);
    this.onTheirWay.push(done);
    if (this.position - this.flushedTo >= FLUSH_EVERY) this.flush();
  }

  private flush(): void {
    this.flushedTo = this.position;
    const before = Promise.all([this.flushed, this.written]);
    this.flushed = before.then(() => sound(() => this.handle.datasync()));
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

/** Shared with the thread that hashes, so that nothing is copied for it. */
function takeBatch(): Buffer {
  return idle.pop() ?? Buffer.from(new SharedArrayBuffer(BATCH));
}

function giveBack(batch: Buffer): void {
  if (idle.length < IDLE_BATCHES) idle.push(batch);
}
