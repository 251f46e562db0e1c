import { formatDate, formatDateTime, formatRelative, formatShortDate, formatTime } from './date';
import { formatDuration } from './duration';
import { internalPath } from './internal-path';
import { formatNumber } from './number';
import { initialOf, displayNameOf, NO_LAST_NAME } from './person';
import { formatSize } from './size';

describe('formatSize', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1.0 KB'],
    [1536, '1.5 KB'],
    [1024 ** 2, '1.0 MB'],
    [100 * 1024 ** 2, '100.0 MB'],
    [1024 ** 3, '1.0 GB'],
    [5000 * 1024 ** 3, '5,000.0 GB'],
  ])('formats %d bytes as %s', (bytes, text) => expect(formatSize(bytes, 'en')).toBe(text));

  it('uses a decimal comma in Turkish', () => expect(formatSize(1536, 'tr')).toBe('1,5 KB'));
});

describe('formatDuration', () => {
  it.each([
    [400, '0 sec'],
    [45_000, '45 sec'],
    [80_400, '1 min 20 sec'],
    [59_999_500, '16 hr 40 min'],
  ])('formats %d milliseconds as %s', (ms, text) => expect(formatDuration(ms, 'en')).toBe(text));
});

describe('formatDate', () => {
  const instant = '2026-11-21T21:30:00.000Z';

  it('uses the short format of the language', () => {
    expect(formatDate(instant, 'en', 'UTC')).toBe('Nov 21, 2026');
    expect(formatDate(instant, 'tr', 'UTC')).toBe('21 Kas 2026');
  });

  it('uses the given time zone', () => expect(formatDate(instant, 'en', 'Europe/Istanbul')).toBe('Nov 22, 2026'));

  it('can include the time', () => expect(formatDateTime(instant, 'tr', 'UTC')).toContain('21:30'));

  it('can be only the time, or leave out the year', () => {
    expect(formatTime(instant, 'en', 'UTC')).toMatch(/^9:30\sPM$/);
    expect(formatTime(instant, 'tr', 'UTC')).toBe('21:30');
    expect(formatShortDate(instant, 'en', 'UTC')).toBe('Nov 21');
    expect(formatShortDate(instant, 'tr', 'UTC')).toBe('21 Kas');
  });

  it('returns an empty string for an invalid date', () => {
    expect(formatDate('soon', 'en')).toBe('');
    expect(formatRelative('soon', 0, 'en')).toBe('');
  });
});

describe('formatRelative', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const timeBeforeNow = (seconds: number) => new Date(now - seconds * 1000).toISOString();

  it.each([
    [20, 'now'],
    [5 * 60, '5 minutes ago'],
    [3 * 3600, '3 hours ago'],
    [26 * 3600, 'yesterday'],
    [-3 * 86_400, 'in 3 days'],
  ])('formats %d seconds before now as "%s"', (seconds, text) =>
    expect(formatRelative(timeBeforeNow(seconds), now, 'en')).toBe(text),
  );

  it.each([
    ['2026-11-20T20:00:00.000Z', '2026-11-21T18:00:00.000Z', '22 hours ago'],
    ['2026-11-20T08:00:00.000Z', '2026-11-21T18:00:00.000Z', 'yesterday'],
    ['2026-11-19T22:00:00.000Z', '2026-11-21T02:00:00.000Z', '2 days ago'],
    ['2026-11-23T01:00:00.000Z', '2026-11-21T23:00:00.000Z', 'in 2 days'],
  ])('counts calendar days: %s at %s is "%s"', (then, at, text) =>
    expect(formatRelative(then, Date.parse(at), 'en', 'UTC')).toBe(text),
  );

  it('counts calendar days in the given time zone', () => {
    const [then, at] = ['2026-11-19T22:00:00.000Z', Date.parse('2026-11-21T02:00:00.000Z')];
    expect(formatRelative(then, at, 'en', 'Europe/Istanbul')).toBe('yesterday');
    expect(formatRelative(then, at, 'en', 'America/New_York')).toBe('yesterday');
    expect(formatRelative(then, at, 'en', 'UTC')).toBe('2 days ago');
  });

  it('returns the date beyond a month', () => {
    expect(formatRelative(timeBeforeNow(45 * 86_400), now, 'en')).toMatch(/^Oct \d+, 2026$/);
  });

  it('is translated into Turkish', () =>
    expect(formatRelative(timeBeforeNow(5 * 60), now, 'tr')).toBe('5 dakika önce'));

  it('counts two days in Turkish too, which has words for them', () => {
    const at = Date.parse('2026-11-21T12:00:00.000Z');
    expect(formatRelative('2026-11-23T12:00:00.000Z', at, 'tr', 'UTC')).toBe('2 gün sonra');
    expect(formatRelative('2026-11-19T12:00:00.000Z', at, 'tr', 'UTC')).toBe('2 gün önce');
    expect(formatRelative('2026-11-22T12:00:00.000Z', at, 'tr', 'UTC')).toBe('yarın');
  });
});

describe('formatNumber', () => {
  it('groups digits by language', () => {
    expect(formatNumber(12345, 'en')).toBe('12,345');
    expect(formatNumber(12345, 'tr')).toBe('12.345');
  });
});

describe('Display of people', () => {
  it('uses first and last name and ignores a last name of "."', () => {
    expect(displayNameOf({ firstName: 'Deniz', lastName: 'Acar' })).toBe('Deniz Acar');
    expect(displayNameOf({ firstName: 'Deniz', lastName: NO_LAST_NAME })).toBe('Deniz');
    expect(displayNameOf({ firstName: null, lastName: NO_LAST_NAME, email: 'd@example.org' })).toBe('d@example.org');
  });

  it('uses the initial of the first name, else of the email, else U', () => {
    expect(initialOf({ firstName: 'deniz', email: 'x@example.org' })).toBe('D');
    expect(initialOf({ firstName: ' ', email: 'x@example.org' })).toBe('X');
    expect(initialOf({})).toBe('U');
  });
});

describe('internalPath', () => {
  it.each([
    ['/zones/3?tab=files#top', '/zones/3?tab=files#top'],
    [`${location.origin}/zones/3`, '/zones/3'],
    ['https://elsewhere.example/zones/3', '/'],
    ['//elsewhere.example', '/'],
    ['javascript:alert(1)', '/'],
    [null, '/'],
    ['', '/'],
  ])('maps %s to %s', (address, path) => expect(internalPath(address, '/')).toBe(path));
});
