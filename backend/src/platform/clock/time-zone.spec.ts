import { isTimeZone } from './time-zone.js';

describe('isTimeZone', () => {
  it.each(['Europe/Istanbul', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+3'])('accepts %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', '+03:00', 'Europe/Istanbul\n', 'UTC; drop table users', 'A'.repeat(61), 3, null])(
    'rejects %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});
