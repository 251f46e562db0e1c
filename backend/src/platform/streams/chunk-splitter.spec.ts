import { ChunkSplitter, type ChunkBounds } from './chunk-splitter.js';

/** A source that yields data when the test says so. */
class Source implements AsyncIterable<Uint8Array> {
  private readonly pieces: PromiseWithResolvers<Buffer | null>[] = [];
  private pulls = 0;
  private given = 0;

  bring(text: string): void {
    this.at(this.given++).resolve(Buffer.from(text));
  }
  end(): void {
    this.at(this.given++).resolve(null);
  }
  fail(error: Error): void {
    this.at(this.given++).reject(error);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = await this.at(this.pulls++).promise;
      if (!piece) return;
      yield piece;
    }
  }
  private at(index: number) {
    return (this.pieces[index] ??= Promise.withResolvers());
  }
}

const HOUR = 3_600_000;

describe('ChunkSplitter', () => {
  let source: Source;
  let chunkSplitter: ChunkSplitter;
  beforeEach(() => {
    source = new Source();
    chunkSplitter = new ChunkSplitter(source);
  });

  const next = async (bounds: Partial<ChunkBounds>) => {
    const pieces: string[] = [];
    for await (const piece of chunkSplitter.nextChunk({ minBytes: 1, maxBytes: 100, maxDuration: HOUR, ...bounds }))
      pieces.push(Buffer.from(piece).toString());
    return pieces.join('');
  };

  it('ends a full chunk without losing bytes', async () => {
    source.bring('abcdef');
    source.bring('gh');
    source.end();
    expect([
      await next({ maxBytes: 4 }),
      await next({ maxBytes: 3 }),
      await next({}),
      await chunkSplitter.hasMore(),
    ]).toEqual(['abcd', 'efg', 'h', false]);
    expect(chunkSplitter.failure).toBeNull();
  });

  it('ends a chunk after its maximum duration even if the source is silent', async () => {
    source.bring('abc');
    expect(await next({ maxDuration: 1 })).toBe('abc');
    const more = chunkSplitter.hasMore();
    source.bring('de');
    expect(await more).toBe(true);
    source.end();
    expect(await next({})).toBe('de');
  });

  it('does not end a chunk below the minimum size, however long it lasts', async () => {
    const segment = next({ minBytes: 4, maxDuration: 1 });
    source.bring('abc');
    await new Promise((resolve) => setTimeout(resolve, 20));
    source.bring('def');
    expect(await segment).toBe('abcdef');
  });

  it('keeps what arrived before the source failed and reports the failure', async () => {
    const broken = new Error('cut');
    source.bring('abc');
    source.fail(broken);
    expect(await next({})).toBe('abc');
    expect(await chunkSplitter.hasMore()).toBe(false);
    expect(chunkSplitter.failure).toBe(broken);
  });
});
