import { SNIFFED_BYTES } from '../content-type.js';

/**
 * A stream of bytes, cut into segments. A source that breaks off ends its segment, because what has come is kept;
 * `failure` tells of it.
 */
export class Segments {
  /** What the source failed with, once it has. */
  failure: unknown = null;
  private readonly source: AsyncIterator<Uint8Array>;
  private waiting: Uint8Array | null = null;
  private ended = false;
  private readonly first: Uint8Array[] = [];
  private firstBytes = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** The first bytes of all, as many as tell the type of a file. */
  get head(): Uint8Array {
    return Buffer.concat(this.first).subarray(0, SNIFFED_BYTES);
  }

  /** True while there is at least one byte more. */
  async more(): Promise<boolean> {
    while (!this.waiting && !this.ended) {
      try {
        const { done, value } = await this.source.next();
        if (done) this.ended = true;
        else if (value.byteLength > 0) this.waiting = value;
      } catch (error) {
        this.failure = error;
        this.ended = true;
      }
    }
    return this.waiting !== null;
  }

  /** The next bytes, up to `limit` of them. */
  async *next(limit: number): AsyncGenerator<Uint8Array> {
    for (let left = limit; left > 0 && (await this.more());) {
      const chunk = this.waiting!.subarray(0, left);
      this.waiting = chunk.byteLength < this.waiting!.byteLength ? this.waiting!.subarray(left) : null;
      left -= chunk.byteLength;
      this.remember(chunk);
      yield chunk;
    }
  }

  private remember(chunk: Uint8Array): void {
    if (this.firstBytes >= SNIFFED_BYTES) return;
    this.first.push(Buffer.from(chunk.subarray(0, SNIFFED_BYTES)));
    this.firstBytes += chunk.byteLength;
  }
}
