import { toFilterDay, toFilterInstant } from './filters';

describe('Date filter', () => {
  it.each(['from', 'to'] as const)('round-trips the chosen day (%s)', (name) => {
    for (const day of ['2026-11-21', '2026-01-01', '2024-02-29'])
      expect(toFilterDay(name, toFilterInstant(name, day))).toBe(day);
  });

  it('includes the whole end day', () => {
    const hours =
      (Date.parse(toFilterInstant('to', '2026-11-21')) - Date.parse(toFilterInstant('from', '2026-11-21'))) / 3_600_000;
    expect(hours).toBe(24);
  });

  it('is omitted when empty', () => {
    expect(toFilterInstant('from', '')).toBe('');
    expect(toFilterDay('to', '')).toBe('');
  });
});
