import type { EventEmitter } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { sound } from './local-disk.js';
import type { ByteRange } from './storage.js';

/** Bytes read and written at a time for a reader who keeps up; large ones are used again and not made for each. */
const LARGE = 1024 * 1024;
/** The same for a slow reader, who is to hold little; and for everybody when many read at once. */
const SMALL = 64 * 1024;
/** A reader who takes a piece within so many milliseconds keeps up. */
const QUICK = 100;
/** Large buffers in use at most. Of these, so many are kept for later. */
const MOST_LARGE = 32;
const IDLE_LARGE = 8;

const idle: Buffer[] = [];
let largeInUse = 0;

/**
 * Writes a part of a file to somebody, and does not end the target. While one piece is on its way the next is read.
 * @returns the bytes written; fewer when the file is shorter or the target was closed
 * @throws STORAGE_UNAVAILABLE when the disk fails
 */
export async function sendRange(handle: FileHandle, { start, end }: ByteRange, target: Writable): Promise<number> {
  const line = lineOf(target);
  const closed = Promise.withResolvers<'closed'>();
  const leave = () => closed.resolve('closed');
  line.once('close', leave);
  if (target.destroyed) leave();
  try {
    return await new Sending(handle, target, closed.promise).send(start, end);
  } finally {
    line.off('close', leave);
  }
}

/** One reader's way through a file. */
class Sending {
  private keepsUp = true;

  constructor(
    private readonly handle: FileHandle,
    private readonly target: Writable,
    private readonly closed: Promise<'closed'>,
  ) {}

  async send(start: number, end: number): Promise<number> {
    let position = start;
    let onItsWay: Promise<unknown> = Promise.resolve();
    while (position <= end) {
      const piece = new Piece(this.keepsUp, end - position + 1);
      const length = await this.read(piece, position);
      const state = await Promise.race([this.closed, onItsWay]);
      if (length === 0 || state === 'closed') {
        piece.letGo('unused');
        break;
      }
      onItsWay = this.write(piece, length);
      position += length;
    }
    await Promise.race([this.closed, onItsWay]);
    return position - start;
  }

  private async read({ buffer, letGo }: Piece, position: number): Promise<number> {
    try {
      const { bytesRead } = await sound(() => this.handle.read(buffer, 0, buffer.length, position));
      return bytesRead;
    } catch (error) {
      letGo('unused');
      throw error;
    }
  }

  /** Resolves when the bytes have left. A fault of the line closes it, and is met there. */
  private write({ buffer, letGo }: Piece, length: number): Promise<void> {
    const begun = performance.now();
    void this.closed.then(() => letGo('in use'));
    return new Promise((resolve) => {
      this.target.write(buffer.subarray(0, length), () => {
        this.keepsUp = performance.now() - begun < QUICK;
        letGo('unused');
        resolve();
      });
    });
  }
}

/** Bytes between reading and writing. */
class Piece {
  readonly buffer: Buffer;
  private readonly large: Buffer | null;
  private held = true;

  constructor(keepsUp: boolean, left: number) {
    const isLarge = keepsUp && left > SMALL && largeInUse < MOST_LARGE;
    this.large = isLarge ? (idle.pop() ?? Buffer.allocUnsafeSlow(LARGE)) : null;
    if (isLarge) largeInUse++;
    this.buffer = (this.large ?? Buffer.allocUnsafe(Math.min(SMALL, left))).subarray(0, left);
  }

  /** The first call counts. What the line may still be reading is not used again. */
  readonly letGo = (state: 'unused' | 'in use'): void => {
    if (!this.held || !this.large) return;
    this.held = false;
    largeInUse--;
    if (state === 'unused' && idle.length < IDLE_LARGE) idle.push(this.large);
  };
}

/** An answer that waits for its turn on a connection does not hear of its end; the connection does. */
function lineOf(target: Writable): EventEmitter {
  return target instanceof ServerResponse ? target.req.socket : target;
}
