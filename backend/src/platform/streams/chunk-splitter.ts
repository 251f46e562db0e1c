/** How a stream is cut: a segment ends when it holds so many bytes, or when it has held `least` and lasted `longest`. */
export interface ChunkBounds {
  /** Bytes. */
  readonly minBytes: number;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly maxDuration: number;
}

/**
 * A stream of bytes, cut into segments. A source that breaks off ends its segment, because what has come is kept;
 * `failure` tells of it.
 */
export class ChunkSplitter {
  /** What the source failed with, once it has. */
  failure: unknown = null;
  private readonly source: AsyncIterator<Uint8Array>;
  private pending: Uint8Array | null = null;
  private isEnded = false;
  private reading: Promise<boolean> | null = null;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** True as soon as there is at least one byte more; false when there is none. */
  hasMore(): Promise<boolean> {
    // A segment may end while the source is silent: its next bytes are asked for once, and belong to the next segment.
    this.reading ??= this.readPending().finally(() => (this.reading = null));
    return this.reading;
  }

  /** The bytes of the next segment. */
  async *nextChunk({ minBytes, maxBytes, maxDuration }: ChunkBounds): AsyncGenerator<Uint8Array> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), maxDuration)));
    try {
      for (let size = 0; size < maxBytes;) {
        const isMore = await (size < minBytes ? this.hasMore() : Promise.race([this.hasMore(), overdue]));
        if (!isMore) return;
        const piece = this.pending!.subarray(0, maxBytes - size);
        this.pending = piece.byteLength < this.pending!.byteLength ? this.pending!.subarray(piece.byteLength) : null;
        size += piece.byteLength;
        yield piece;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private async readPending(): Promise<boolean> {
    while (!this.pending && !this.isEnded) {
      try {
        const { done, value } = await this.source.next();
        if (done) this.isEnded = true;
        else if (value.byteLength > 0) this.pending = value;
      } catch (error) {
        this.failure = error;
        this.isEnded = true;
      }
    }
    return this.pending !== null;
  }
}
