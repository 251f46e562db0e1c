import { resolveRange } from './analytics-range.js';
import { addDays } from './day.js';
import { fillMissingDays, groupByBucket, sumCounters, type DayFigures } from './series.js';
import { getCounterTrend, getGaugeTrend } from './dashboard/dashboard.service.js';

const row = (day: string, more: Partial<DayFigures> = {}): DayFigures => ({
  day,
  views: 0,
  downloads: 0,
  joins: 0,
  leaves: 0,
  zones: null,
  files: null,
  members: null,
  storage: null,
  ...more,
});
const unknown = { zones: null, files: null, members: null, storage: null };

describe('Day series', () => {
  it('fills missing days, carrying gauge values forward', () => {
    const rows = [row('2026-02-28', { views: 2, storage: 10 }), row('2026-03-02', { storage: 5 })];
    const days = fillMissingDays(rows, '2026-02-27', '2026-03-03', unknown);
    expect(days.map(({ day, views, storage }) => [day, views, storage])).toEqual([
      ['2026-02-27', 0, null],
      ['2026-02-28', 2, 10],
      ['2026-03-01', 0, 10],
      ['2026-03-02', 0, 5],
      ['2026-03-03', 0, 5],
    ]);
    expect(fillMissingDays([], '2026-03-01', '2026-03-01', { ...unknown, storage: 7 })[0]!.storage).toBe(7);
  });

  it('groups days by weeks from Monday and by months', () => {
    const days = fillMissingDays([], '2026-03-27', '2026-04-08', unknown).map((day, index) => ({
      ...day,
      joins: 1,
      storage: index,
    }));
    expect(groupByBucket(days, 'week').map(({ from, to, joins, storage }) => [from, to, joins, storage])).toEqual([
      ['2026-03-27', '2026-03-29', 3, 2],
      ['2026-03-30', '2026-04-05', 7, 9],
      ['2026-04-06', '2026-04-08', 3, 12],
    ]);
    expect(groupByBucket(days, 'month').map(({ from, joins }) => [from, joins])).toEqual([
      ['2026-03-27', 5],
      ['2026-04-01', 8],
    ]);
    expect(groupByBucket(days, 'day')).toHaveLength(13);
    expect(sumCounters(days)).toEqual({ views: 0, downloads: 0, joins: 13, leaves: 0 });
  });
});

describe('Range parsing', () => {
  const resolve = (params: object, begin = '2026-01-15') => resolveRange(params, '2026-11-21', begin);

  it.each([
    [{}, '2026-10-23', '2026-11-21', 'day'],
    [{ range: '7' }, '2026-11-15', '2026-11-21', 'day'],
    [{ range: '90' }, '2026-08-24', '2026-11-21', 'day'],
    [{ range: 'all' }, '2026-01-15', '2026-11-21', 'week'],
    [{ from: '2026-11-20' }, '2026-11-20', '2026-11-21', 'day'],
    [{ to: '2026-11-22' }, '2026-10-24', '2026-11-22', 'day'],
    [{ to: '2024-02-29' }, '2024-01-31', '2024-02-29', 'day'],
    [{ from: '2020-01-01', to: '2026-01-01' }, '2020-01-01', '2026-01-01', 'month'],
  ])('resolves %j', (params, first, last, bucket) => expect(resolve(params)).toEqual({ first, last, bucket }));

  it('limits the full range to ten years', () => {
    expect(resolve({ range: 'all' }, '1999-01-01').first).toBe(addDays('2026-11-21', -3659));
  });

  it.each([
    { from: '2026-11-22' },
    { from: '2026-02-02', to: '2026-02-01' },
    { from: '1926-01-01', to: '2026-01-01' },
    { from: '1980-01-01', to: '2026-01-01' },
    { from: '2026-02-30' },
    { from: '2026-1-1' },
    { to: 'yesterday' },
    { to: '+275760-09-13' },
    { to: '2026-11-23' },
    { from: '9999-12-31', to: '9999-12-31' },
  ])('rejects %j', (params) =>
    expect(() => resolve(params)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' })),
  );
});

describe('Trends', () => {
  const days = (value: (index: number) => number | null) =>
    Array.from({ length: 60 }, (_, index) =>
      row(addDays('2026-01-01', index), { files: value(index), downloads: index < 30 ? 1 : 3 }),
    );

  it('compare a gauge with its value 30 days ago', () => {
    const trend = getGaugeTrend(
      days((index) => index),
      ({ files }) => files,
      58,
    );
    expect(trend).toMatchObject({ change: 29, percent: 100 });
    expect(trend.points).toHaveLength(30);
    expect(trend.points.at(-1)).toEqual({ day: '2026-03-01', value: 58 });
    expect(
      getGaugeTrend(
        days(() => 0),
        ({ files }) => files,
        5,
      ),
    ).toMatchObject({ change: 5, percent: null });
    expect(
      getGaugeTrend(
        days(() => null),
        ({ files }) => files,
        5,
      ),
    ).toMatchObject({ change: null, percent: null });
  });

  it('compare a counter with the previous 30 days', () => {
    expect(
      getCounterTrend(
        days(() => 0),
        ({ downloads }) => downloads,
      ),
    ).toMatchObject({ change: 60, percent: 200 });
  });
});
