import { formatRetryAt, formatRetryAfter } from './format-retry-at.js';

describe('formatRetryAfter', () => {
  it.each([
    [-5, 'in 1 second', '1 saniye sonra'],
    [1, 'in 1 second', '1 saniye sonra'],
    [59, 'in 59 seconds', '59 saniye sonra'],
    [60, 'in 1 minute', '1 dakika sonra'],
    [61, 'in 2 minutes', '2 dakika sonra'],
    [58 * 60, 'in 58 minutes', '58 dakika sonra'],
    [59 * 60 + 1, 'in 1 hour', '1 saat sonra'],
    [23 * 3600 + 1, 'in 1 day', '1 gün sonra'],
    [30 * 86_400, 'in 30 days', '30 gün sonra'],
  ])('formats %i seconds as one rounded-up figure', (seconds, en, tr) => {
    expect(formatRetryAfter(seconds)).toEqual({ en, tr });
  });

  it('formatRetryAt formats the time between two instants', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(formatRetryAt(now, new Date('2026-01-01T00:58:00Z')).en).toBe('in 58 minutes');
  });
});
