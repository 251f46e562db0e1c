import { consumeChunks } from './stop-on-shutdown.js';

async function* createSource(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe('consumeChunks', () => {
  it('keeps a chunk until the next is requested and then frees its memory', async () => {
    const buffers = [1, 2, 3].map((byte) => new Uint8Array(1000).fill(byte));
    const bytes: number[] = [];
    const remaining: number[] = [];
    for await (const chunk of consumeChunks(createSource(...buffers))) {
      bytes.push(chunk[999]!);
      remaining.push(buffers.filter(({ byteLength }) => byteLength > 0).length);
    }
    expect(bytes).toEqual([1, 2, 3]);
    expect(remaining).toEqual([3, 2, 1]);
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  });

  it('does not free shared memory', async () => {
    const all = new Uint8Array(1000).fill(7);
    for await (const chunk of consumeChunks(createSource(all.subarray(0, 500), all.subarray(500))))
      expect(chunk[0]).toBe(7);
    expect(all[999]).toBe(7);
  });
});
