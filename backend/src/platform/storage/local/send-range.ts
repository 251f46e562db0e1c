import type { EventEmitter } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { withStorageErrors } from './local-disk.js';
import type { ByteRange } from '../storage.js';

/** Buffer size for clients that keep up, in bytes; these buffers are pooled. */
const LARGE_BUFFER_BYTES = 1024 * 1024;
/** The same for slow clients, which should occupy little memory, and for all when many read at once. */
const SMALL_BUFFER_BYTES = 64 * 1024;
/** A client that accepts a chunk within this time, in milliseconds, keeps up. */
const FAST_CLIENT_MILLISECONDS = 100;
/** Maximum number of large buffers in use, and, below, of those kept for reuse. */
const MAX_LARGE_BUFFERS = 32;
const MAX_IDLE_BUFFERS = 8;

const idleBuffers: Buffer[] = [];
let largeInUse = 0;

/**
 * Writes a range of a file to the target, without ending it. Reads the next chunk while the previous one is sent.
 * @returns the bytes written; fewer when the file is shorter or the target was closed
 * @throws STORAGE_UNAVAILABLE when the disk fails
 */
export async function sendRange(handle: FileHandle, { start, end }: ByteRange, target: Writable): Promise<number> {
  const connection = connectionOf(target);
  const closed = Promise.withResolvers<'closed'>();
  const leave = () => closed.resolve('closed');
  connection.once('close', leave);
  if (target.destroyed) leave();
  try {
    return await new RangeSender(handle, target, closed.promise).send(start, end);
  } finally {
    connection.off('close', leave);
  }
}

class RangeSender {
  private isFastClient = true;

  constructor(
    private readonly handle: FileHandle,
    private readonly target: Writable,
    private readonly closed: Promise<'closed'>,
  ) {}

  async send(start: number, end: number): Promise<number> {
    let position = start;
    let pendingWrite: Promise<unknown> = Promise.resolve();
    while (position <= end) {
      const bufferLease = new BufferLease(this.isFastClient, end - position + 1);
      const length = await this.read(bufferLease, position);
      const state = await Promise.race([this.closed, pendingWrite]);
      if (length === 0 || state === 'closed') {
        bufferLease.release('unused');
        break;
      }
      pendingWrite = this.write(bufferLease, length);
      position += length;
    }
    await Promise.race([this.closed, pendingWrite]);
    return position - start;
  }

  private async read({ buffer, release }: BufferLease, position: number): Promise<number> {
    try {
      const { bytesRead } = await withStorageErrors(() => this.handle.read(buffer, 0, buffer.length, position));
      return bytesRead;
    } catch (error) {
      release('unused');
      throw error;
    }
  }

  /** Resolves when the bytes have been sent. A connection error closes the target, which is handled there. */
  private write({ buffer, release }: BufferLease, length: number): Promise<void> {
    const startedAt = performance.now();
    void this.closed.then(() => release('in use'));
    return new Promise((resolve) => {
      this.target.write(buffer.subarray(0, length), () => {
        this.isFastClient = performance.now() - startedAt < FAST_CLIENT_MILLISECONDS;
        release('unused');
        resolve();
      });
    });
  }
}

/** A buffer for reading and writing, from the pool if it is large. */
class BufferLease {
  readonly buffer: Buffer;
  private readonly pooled: Buffer | null;
  private isHeld = true;

  constructor(keepsUp: boolean, left: number) {
    const isLarge = keepsUp && left > SMALL_BUFFER_BYTES && largeInUse < MAX_LARGE_BUFFERS;
    this.pooled = isLarge ? (idleBuffers.pop() ?? Buffer.allocUnsafeSlow(LARGE_BUFFER_BYTES)) : null;
    if (isLarge) largeInUse++;
    this.buffer = (this.pooled ?? Buffer.allocUnsafe(Math.min(SMALL_BUFFER_BYTES, left))).subarray(0, left);
  }

  /** Only the first call counts. A buffer that the connection may still be reading is not reused. */
  readonly release = (state: 'unused' | 'in use'): void => {
    if (!this.isHeld || !this.pooled) return;
    this.isHeld = false;
    largeInUse--;
    if (state === 'unused' && idleBuffers.length < MAX_IDLE_BUFFERS) idleBuffers.push(this.pooled);
  };
}

/** A pipelined response that waits for its turn gets no close event; its socket does. */
function connectionOf(target: Writable): EventEmitter {
  return target instanceof ServerResponse ? target.req.socket : target;
}
