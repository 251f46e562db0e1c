import { toEndOfDay, toDateInputValue } from './date-input';

describe('Last day of a membership', () => {
  it('ends at midnight in the viewer’s time zone', () => {
    const end = toEndOfDay('2027-03-01')!;
    expect(toDateInputValue(end)).toBe('2027-03-01');
    expect(toDateInputValue(new Date(Date.parse(end) + 1).toISOString())).toBe('2027-03-02');
  });

  it('can be empty', () => {
    expect(toEndOfDay('')).toBeNull();
    expect(toDateInputValue(null)).toBe('');
  });

  it('leaves an invalid date to the server’s validation', () => {
    expect(toEndOfDay('2027-99-99')).toBe('2027-99-99');
  });
});
