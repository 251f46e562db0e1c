import { MINUTE } from '../../../platform/clock/clock.js';
import { creditEntries, creditLimit, MAX_BATCH_TIME, PageSet } from './reading.policy.js';

describe('creditLimit', () => {
  const now = new Date('2026-12-01T10:00:00Z');
  it.each([
    ['the first batch', null, MAX_BATCH_TIME],
    ['a batch 15 seconds after the last one', new Date('2026-12-01T09:59:45Z'), 15_000],
    ['a batch at the same moment', now, 0],
    ['a batch after a long pause', new Date('2026-11-01T10:00:00Z'), MAX_BATCH_TIME],
    ['a clock that was turned back', new Date('2026-12-01T11:00:00Z'), 0],
  ])('for %s', (_, lastAt, expected) => {
    expect(creditLimit(lastAt, now)).toBe(expected);
  });
});

describe('creditEntries', () => {
  it('credits everything below the limit, adding up entries of one page', () => {
    const entries = [
      { page: 1, ms: 3000 },
      { page: 2, ms: 4000 },
      { page: 1, ms: 500 },
    ];
    expect(creditEntries(entries, MINUTE)).toEqual([
      { page: 2, ms: 4000 },
      { page: 1, ms: 3500 },
    ]);
  });

  it('credits at most the limit, however many entries claim more', () => {
    const entries = [
      { page: 1, ms: 8000 },
      { page: 2, ms: 8000 },
      { page: 3, ms: 8000 },
    ];
    expect(creditEntries(entries, 10_000)).toEqual([
      { page: 1, ms: 8000 },
      { page: 2, ms: 2000 },
    ]);
    expect(creditEntries(entries, 0)).toEqual([]);
  });
});

describe('PageSet', () => {
  it('contains the pages that were added, once', () => {
    const pages = PageSet.fromHex('');
    expect([1, 8, 9, 10_000, 8].map((page) => pages.add(page))).toEqual([true, true, true, true, false]);
    const stored = PageSet.fromHex(pages.toHex());
    expect(stored.toList()).toEqual([1, 8, 9, 10_000]);
    expect([2, 7, 16, 10_001].map((page) => stored.has(page))).toEqual([false, false, false, false]);
    expect(stored.toHex()).toHaveLength(2 * 1250);
  });
});
