import { toScheduledInstant } from './campaign-schedule.service.js';

const toInstant = (text: string, zone: string) => toScheduledInstant(text, zone)?.toISOString() ?? null;

describe('toScheduledInstant', () => {
  it('converts the local time of the zone in winter and summer', () => {
    expect(toInstant('2026-01-15T09:00', 'Europe/Berlin')).toBe('2026-01-15T08:00:00.000Z');
    expect(toInstant('2026-07-15T09:00', 'Europe/Berlin')).toBe('2026-07-15T07:00:00.000Z');
    expect(toInstant('2026-07-15T09:00:30', 'Europe/Istanbul')).toBe('2026-07-15T06:00:30.000Z');
    expect(toInstant('2026-07-15T09:00', 'Asia/Kathmandu')).toBe('2026-07-15T03:15:00.000Z');
  });

  it('moves a skipped local time an hour later', () => {
    // The clocks change from 02:00 to 03:00 at 01:00 UTC; in New York at 07:00 UTC.
    expect(toInstant('2026-03-29T01:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:00.000Z');
    expect(toInstant('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(toInstant('2026-03-29T03:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
    expect(toInstant('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  });

  it('uses the first occurrence of a repeated local time', () => {
    // The clocks change from 03:00 to 02:00 at 01:00 UTC; in New York from 02:00 to 01:00 at 06:00 UTC.
    expect(toInstant('2026-10-25T01:59', 'Europe/Berlin')).toBe('2026-10-24T23:59:00.000Z');
    expect(toInstant('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(toInstant('2026-10-25T03:00', 'Europe/Berlin')).toBe('2026-10-25T02:00:00.000Z');
    expect(toInstant('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    expect(toInstant('2026-04-05T01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z');
  });

  it('respects an explicit offset', () => {
    expect(toInstant('2026-03-29T02:30:00+05:30', 'Europe/Berlin')).toBe('2026-03-28T21:00:00.000Z');
    expect(toInstant('2026-03-29T02:30:00Z', 'Europe/Berlin')).toBe('2026-03-29T02:30:00.000Z');
  });

  it.each(['', 'soon', '2026-02-30T10:00', '2026-13-01T10:00', '2026-01-01T24:00', '2026-01-01T10:60', '2026-01-01'])(
    'is none for "%s"',
    (text) => expect(toScheduledInstant(text, 'Europe/Berlin')).toBeNull(),
  );
});
