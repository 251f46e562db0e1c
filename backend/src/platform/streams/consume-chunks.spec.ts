import { consumeChunks } from './stop-on-shutdown.js';

async function* of(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

describe('consumeChunks', () => {
  it('keeps a chunk until the next is requested and then frees its memory', async () => {
    const own = [1, 2, 3].map((byte) => new Uint8Array(1000).fill(byte));
    const seen: number[] = [];
    const left: number[] = [];
    for await (const piece of consumeChunks(of(...own))) {
      seen.push(piece[999]!);
      left.push(own.filter(({ byteLength }) => byteLength > 0).length);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(left).toEqual([3, 2, 1]);
    expect(own.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  });

  it('does not free shared memory', async () => {
    const all = new Uint8Array(1000).fill(7);
    for await (const piece of consumeChunks(of(all.subarray(0, 500), all.subarray(500)))) expect(piece[0]).toBe(7);
    expect(all[999]).toBe(7);
  });
});
