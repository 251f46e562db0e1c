import { readInBatches } from './in-batches.js';

describe('Reading in batches', () => {
  it.each([0, 1, 499, 500, 501, 1000, 1001])('yields all of %i rows once and ends', async (count) => {
    const all = Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
    let calls = 0;
    const fetch = (last: { id: number } | null, limit: number) => {
      if (++calls > 4) throw new Error('It does not end.');
      const from = last?.id ?? 0;
      return Promise.resolve(all.slice(from, from + limit));
    };
    const read = [];
    for await (const row of readInBatches(fetch)) read.push(row);
    expect(read).toEqual(all);
  });
});
