/** How a stream is cut: a segment ends when it holds so many bytes, or when it has held `least` and lasted `longest`. */
export interface SegmentBounds {
  /** Bytes. */
  readonly least: number;
  readonly most: number;
  /** Milliseconds. */
  readonly longest: number;
}

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
  private looking: Promise<boolean> | null = null;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** True as soon as there is at least one byte more; false when there is none. */
  more(): Promise<boolean> {
    // A segment may end while the source is silent: its next bytes are asked for once, and belong to the next segment.
    this.looking ??= this.look().finally(() => (this.looking = null));
    return this.looking;
  }

  /** The bytes of the next segment. */
  async *next({ least, most, longest }: SegmentBounds): AsyncGenerator<Uint8Array> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), longest)));
    try {
      for (let size = 0; size < most;) {
        const isMore = await (size < least ? this.more() : Promise.race([this.more(), overdue]));
        if (!isMore) return;
        const piece = this.waiting!.subarray(0, most - size);
        this.waiting = piece.byteLength < this.waiting!.byteLength ? this.waiting!.subarray(piece.byteLength) : null;
        size += piece.byteLength;
        yield piece;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private async look(): Promise<boolean> {
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
}
