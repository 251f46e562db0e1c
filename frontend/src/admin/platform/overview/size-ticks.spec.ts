import { computeSizeTicks } from './size-ticks';

const MB = 1024 ** 2;
const GB = 1024 ** 3;

describe('computeSizeTicks', () => {
  it.each([
    ['bytes', 3, [0, 1, 2, 3]],
    ['megabytes', 603 * MB, [0, 200 * MB, 400 * MB, 600 * MB, 800 * MB]],
    ['more than the largest unit', 46_563 * GB, [0, 20_000 * GB, 40_000 * GB, 60_000 * GB]],
    ['nothing', 0, [0, 1]],
  ])('returns round numbers: %s', (_, maxBytes, ticks) => {
    expect(computeSizeTicks(maxBytes)).toEqual(ticks);
  });

  it('covers every value with few ticks', () => {
    for (let maxBytes = 1; maxBytes < 1e15; maxBytes = maxBytes * 3 + 1) {
      const ticks = computeSizeTicks(maxBytes);
      expect(ticks.at(-1)!).toBeGreaterThanOrEqual(maxBytes);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });
});
