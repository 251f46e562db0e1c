import { dateInTimeZone, toDurationUnit, durations, fillMissingDays, offsets, toInstant } from './link-time';

describe('Times of a link', () => {
  it.each([
    ['2026-05-01', '12:30', '+03:00', '2026-05-01T12:30:00+03:00'],
    ['2028-02-29', '00:00', '+05:30', '2028-02-29T00:00:00+05:30'],
    ['2026-02-29', '12:30', '+03:00', null],
    ['2026-05-01', '24:30', '+03:00', null],
    ['', '12:30', '+03:00', null],
    ['2026-05-01', '', '+03:00', null],
  ])('converts %s %s %s to %s', (date, time, offset, instant) => {
    expect(toInstant(date, time, offset)).toBe(instant);
  });

  it('offers offsets from -12:00 to +12:00 in order, including +05:30', () => {
    expect([offsets[0], offsets.at(-1), offsets.length]).toEqual(['-12:00', '+12:00', 26]);
    const minutes = offsets.map((offset) => {
      const [hours, rest] = offset.slice(1).split(':').map(Number);
      return (offset.startsWith('-') ? -1 : 1) * (hours! * 60 + rest!);
    });
    expect(minutes).toEqual([...minutes].sort((a, b) => a - b));
  });

  it('expresses durations in their natural unit', () => {
    expect(durations.slice(0, 4).map((hours) => toDurationUnit(hours).count)).toEqual([1, 5, 10, 30]);
    expect(toDurationUnit(1)).toEqual({ count: 1, unit: 'hours' });
    expect(toDurationUnit(8760)).toEqual({ count: 365, unit: 'days' });
  });

  it('computes the date in a time zone and fills in days without activity', () => {
    const now = Date.parse('2026-05-01T22:30:00Z');
    expect([dateInTimeZone(now, 'UTC'), dateInTimeZone(now, 'Europe/Istanbul')]).toEqual(['2026-05-01', '2026-05-02']);
    const days = fillMissingDays([{ date: '2026-05-02', attempts: 3, joins: 1 }], now, 'Europe/Istanbul');
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ date: '2026-04-03', attempts: 0, joins: 0 });
    expect(days[29]).toEqual({ date: '2026-05-02', attempts: 3, joins: 1 });
  });
});
