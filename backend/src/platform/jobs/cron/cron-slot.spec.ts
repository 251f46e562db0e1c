import { latestCronSlot } from './cron-slot.js';

const parseTime = (text: string) => new Date(text);
const slot = (cron: string, time: string) => latestCronSlot(cron, parseTime(time)).toISOString();

describe('latestCronSlot', () => {
  it.each([
    ['* * * * *', '2026-03-10T12:00:00.000Z', '2026-03-10T12:00:00.000Z'],
    ['* * * * *', '2026-03-10T12:00:59.999Z', '2026-03-10T12:00:00.000Z'],
    ['*/10 * * * * *', '2026-03-10T12:00:39.001Z', '2026-03-10T12:00:30.000Z'],
    ['17 3 * * *', '2026-03-10T03:17:04.000Z', '2026-03-10T03:17:00.000Z'],
    ['17 3 * * *', '2026-03-10T03:16:59.999Z', '2026-03-09T03:17:00.000Z'],
    ['0 0 1 * *', '2026-03-31T23:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['0 4 * * 1', '2026-03-10T12:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['0 0 29 2 *', '2026-03-10T12:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ])('returns the slot of %s at %s: %s', (cron, time, expected) => {
    expect(slot(cron, time)).toBe(expected);
  });

  it('rejects an invalid expression', () => {
    expect(() => latestCronSlot('every day', parseTime('2026-03-10T12:00:00Z'))).toThrow();
  });
});
