import type { IncomingMessage } from 'node:http';
import { KIB } from '../text/byte-units.js';

/** Bytes of a block, after which reading pauses until it is taken. */
const BLOCK_BYTES = 512 * KIB;
/** A network read is at most this long, so a block that isn't full has room for one more. */
const MAX_CHUNK_BYTES = 64 * KIB;

/**
 * Reads the body of a request in blocks: all bytes that have arrived while the previous block was used. The streams of
 * Node pass on each network read of 64 KiB by itself, which costs more than storing it. A block is only valid until the
 * next is requested, because two buffers are used in turn. The request stays open.
 * @param stopped ends the blocks early
 * @throws Error when the client disconnects, after the bytes that have arrived
 */
export async function* readBlocks(request: IncomingMessage, stopped: AbortSignal): AsyncGenerator<Buffer> {
  const blocks = new BlockReader(request, stopped);
  try {
    for (let block = await blocks.next(); block !== null; block = await blocks.next()) yield block;
  } finally {
    blocks.close();
  }
}

class BlockReader {
  private readonly capacity: number;
  private filling: Buffer;
  private spare: Buffer | null = null;
  private filled = 0;
  private isEnded = false;
  private failure: Error | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly stopped: AbortSignal,
  ) {
    const { 'content-length': length } = request.headers;
    this.capacity = Math.min(BLOCK_BYTES + MAX_CHUNK_BYTES, Number(length ?? Infinity));
    this.filling = Buffer.allocUnsafeSlow(this.capacity);
    if (stopped.aborted || request.readableEnded) this.isEnded = true;
    if (request.destroyed && !request.complete) this.onClose();
    request.on('data', this.onData).on('end', this.onEnd).on('error', this.onError).on('close', this.onClose);
    stopped.addEventListener('abort', this.onEnd, { once: true });
  }

  /** Returns the bytes that have arrived, waiting for at least one; null at the end. */
  async next(): Promise<Buffer | null> {
    while (this.filled === 0 && !this.isEnded) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.filled === 0) {
      if (this.failure) throw this.failure;
      return null;
    }
    const block = this.filling.subarray(0, this.filled);
    [this.filling, this.spare] = [this.spare ?? Buffer.allocUnsafeSlow(this.capacity), this.filling];
    this.filled = 0;
    this.request.resume();
    return block;
  }

  close(): void {
    const { request } = this;
    request.off('data', this.onData).off('end', this.onEnd).off('error', this.onError).off('close', this.onClose);
    this.stopped.removeEventListener('abort', this.onEnd);
    request.pause();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.filled + chunk.length > this.filling.length) {
      this.filling = Buffer.concat([this.filling.subarray(0, this.filled), chunk]);
    } else {
      this.filling.set(chunk, this.filled);
    }
    this.filled += chunk.length;
    if (this.filled >= BLOCK_BYTES) this.request.pause();
    // Each network read allocates a buffer of its own; leaving them to the garbage collector causes full collections.
    if (chunk.byteLength === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
    this.wake();
  };

  private readonly onEnd = (): void => {
    this.isEnded = true;
    this.wake();
  };

  private readonly onError = (error: Error): void => {
    this.failure ??= error;
    this.onEnd();
  };

  private readonly onClose = (): void => {
    if (!this.request.complete) this.onError(new Error('The client disconnected.'));
  };
}
