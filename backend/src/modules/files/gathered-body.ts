import type { IncomingMessage } from 'node:http';
import { BLOCK, freeBlock, takeBlock } from '../../platform/storage/blocks.js';

/** Blocks of one body that are being filled, waiting, or read: more are not taken before one is free again. */
const BLOCKS = 6;
/** Milliseconds that a block waits to be filled by a slow sender, once somebody waits for it. */
const PATIENCE = 50;

/**
 * The body of a request in few large pieces. A network brings it in chunks of 64 KiB at most, each in memory of its
 * own: handing every one through all layers, and collecting that memory afterwards, takes longer than receiving it. So
 * they are gathered as they come, and their memory is given back at once.
 *
 * A piece lies in a block and stays as it is until the next one is asked for; who needs it longer keeps the block, or a
 * copy. Nobody else may read the request.
 */
export class GatheredBody implements AsyncIterableIterator<Buffer> {
  private block: Buffer | null = null;
  private filled = 0;
  private readonly full: Buffer[] = [];
  /** What was given out last. */
  private given: Buffer | null = null;
  private taken = 0;
  private ended = false;
  private failure: unknown = null;
  /** True when whoever asks has waited long enough. */
  private due = false;
  private wake: () => void = () => undefined;

  constructor(private readonly request: IncomingMessage) {
    request.on('data', this.onData).on('end', this.onEnd).on('error', this.onError).on('close', this.onClose);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws what the request breaks off with, after what has come of it */
  async next(): Promise<IteratorResult<Buffer, undefined>> {
    this.letGo();
    if (!this.ready) await this.more();
    this.given = this.full.shift() ?? this.cut();
    if (this.given) return { done: false, value: this.given };
    if (this.failure) throw this.failure;
    return { done: true, value: undefined };
  }

  /** Ends the reading; what comes afterwards is thrown away, unless others listen. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    const { request } = this;
    request.off('data', this.onData).off('end', this.onEnd).off('error', this.onError).off('close', this.onClose);
    request.resume();
    this.letGo();
    this.cutOff();
    this.ended = true;
    this.wake();
    return { done: true, value: undefined };
  }

  private get ready(): boolean {
    return this.full.length > 0 || this.ended || (this.due && this.filled > 0);
  }

  private async more(): Promise<void> {
    const timer = setTimeout(() => {
      this.due = true;
      this.wake();
    }, PATIENCE);
    while (!this.ready) await new Promise<void>((resolve) => (this.wake = resolve));
    clearTimeout(timer);
    this.due = false;
  }

  private readonly onData = (chunk: Buffer): void => {
    for (let rest = chunk; rest.length > 0;) {
      this.block ??= this.take();
      // Not by `set`, which is several times as slow where memory is shared.
      const copied = rest.copy(this.block, this.filled);
      this.filled += copied;
      rest = rest.subarray(copied);
      if (this.filled === BLOCK) this.full.push(this.cut()!);
    }
    // All of the memory is this chunk's, and nobody else has it. Left to be collected, it would hasten that.
    if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
    if (this.taken >= BLOCKS) this.request.pause();
    if (this.ready) this.wake();
  };

  private readonly onEnd = (): void => {
    this.ended = true;
    this.wake();
  };

  private readonly onError = (error: unknown): void => {
    this.failure ??= error;
    this.onEnd();
  };

  private readonly onClose = (): void => {
    if (!this.ended) this.onError(new Error('The body broke off.'));
  };

  private take(): Buffer {
    this.taken++;
    return takeBlock(() => {
      this.taken--;
      if (!this.ended && this.taken === BLOCKS - 1) this.request.resume();
    });
  }

  /** What is gathered so far; null when that is nothing. */
  private cut(): Buffer | null {
    const bytes = this.block?.subarray(0, this.filled) ?? null;
    this.block = null;
    this.filled = 0;
    return bytes;
  }

  private letGo(): void {
    if (this.given) freeBlock(this.given);
    this.given = null;
  }

  private cutOff(): void {
    const waiting = this.cut();
    for (const bytes of [...this.full.splice(0), ...(waiting ? [waiting] : [])]) freeBlock(bytes);
  }
}
