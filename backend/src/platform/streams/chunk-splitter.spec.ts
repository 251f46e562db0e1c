import { ChunkSplitter, type ChunkBounds } from './chunk-splitter.js';

/** A source that yields data when the test says so. */
class Source implements AsyncIterable<Uint8Array> {
  private readonly chunks: PromiseWithResolvers<Buffer | null>[] = [];
  private pulled = 0;
  private pushed = 0;

  push(text: string): void {
    this.chunkAt(this.pushed++).resolve(Buffer.from(text));
  }
  end(): void {
    this.chunkAt(this.pushed++).resolve(null);
  }
  fail(error: Error): void {
    this.chunkAt(this.pushed++).reject(error);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = await this.chunkAt(this.pulled++).promise;
      if (!chunk) return;
      yield chunk;
    }
  }
  private chunkAt(index: number) {
    return (this.chunks[index] ??= Promise.withResolvers());
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
    const chunks: string[] = [];
    for await (const chunk of chunkSplitter.nextChunk({ minBytes: 1, maxBytes: 100, maxDuration: HOUR, ...bounds }))
      chunks.push(Buffer.from(chunk).toString());
    return chunks.join('');
  };

  it('ends a full chunk without losing bytes', async () => {
    source.push('abcdef');
    source.push('gh');
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
    source.push('abc');
    expect(await next({ maxDuration: 1 })).toBe('abc');
    const more = chunkSplitter.hasMore();
    source.push('de');
    expect(await more).toBe(true);
    source.end();
    expect(await next({})).toBe('de');
  });

  it('does not end a chunk below the minimum size, however long it lasts', async () => {
    const chunk = next({ minBytes: 4, maxDuration: 1 });
    source.push('abc');
    await new Promise((resolve) => setTimeout(resolve, 20));
    source.push('def');
    expect(await chunk).toBe('abcdef');
  });

  it('keeps what arrived before the source failed and reports the failure', async () => {
    const broken = new Error('cut');
    source.push('abc');
    source.fail(broken);
    expect(await next({})).toBe('abc');
    expect(await chunkSplitter.hasMore()).toBe(false);
    expect(chunkSplitter.failure).toBe(broken);
  });
});
