import { isTimeZone } from './time-zone.js';

describe('a time zone', () => {
  it.each(['Europe/Istanbul', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+3'])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', '+03:00', 'Europe/Istanbul\n', 'UTC; drop table users', 'A'.repeat(61), 3, null])(
    'is not %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});
