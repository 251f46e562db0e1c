import { backoffDelay } from './job.repository.js';

describe('backoffDelay', () => {
  it('doubles from 5 seconds up to an hour', () => {
    expect([1, 2, 3, 4].map((attempt) => backoffDelay(attempt, 0.5))).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect(backoffDelay(40, 0.5)).toBe(3_600_000);
  });

  it('varies randomly by a quarter', () => {
    expect(backoffDelay(2, 0)).toBe(7_500);
    expect(backoffDelay(2, 1)).toBe(12_500);
    expect(new Set(Array.from({ length: 20 }, () => backoffDelay(5))).size).toBeGreaterThan(1);
  });
});
