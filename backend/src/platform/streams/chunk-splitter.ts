/** Limits of a chunk: it ends at `maxBytes`, or once it has `minBytes` and has lasted `maxDuration`. */
export interface ChunkBounds {
  /** In bytes. */
  readonly minBytes: number;
  readonly maxBytes: number;
  /** In milliseconds. */
  readonly maxDuration: number;
}

/**
 * Splits a byte stream into chunks. When the source fails, the current chunk ends normally, because the data received
 * so far is kept; `failure` has the error.
 */
export class ChunkSplitter {
  /** The source's error, if it failed. */
  failure: unknown = null;
  private readonly source: AsyncIterator<Uint8Array>;
  private pending: Uint8Array | null = null;
  private isEnded = false;
  private reading: Promise<boolean> | null = null;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Resolves to true when at least one more byte is available; to false at the end. */
  hasMore(): Promise<boolean> {
    // A chunk may end while a read is pending. The read isn't repeated; its bytes belong to the next chunk.
    this.reading ??= this.readPending().finally(() => (this.reading = null));
    return this.reading;
  }

  /** Yields the bytes of the next chunk. */
  async *nextChunk({ minBytes, maxBytes, maxDuration }: ChunkBounds): AsyncGenerator<Uint8Array> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), maxDuration)));
    try {
      for (let size = 0; size < maxBytes;) {
        const isMore = await (size < minBytes ? this.hasMore() : Promise.race([this.hasMore(), overdue]));
        if (!isMore) return;
        const chunk = this.pending!.subarray(0, maxBytes - size);
        this.pending = chunk.byteLength < this.pending!.byteLength ? this.pending!.subarray(chunk.byteLength) : null;
        size += chunk.byteLength;
        yield chunk;
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
