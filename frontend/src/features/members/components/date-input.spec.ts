import { toEndOfDay, toDateInputValue } from './date-input';

describe('the last day of a membership', () => {
  it('lasts until its end in the viewer’s calendar', () => {
    const end = toEndOfDay('2027-03-01')!;
    expect(toDateInputValue(end)).toBe('2027-03-01');
    expect(toDateInputValue(new Date(Date.parse(end) + 1).toISOString())).toBe('2027-03-02');
  });

  it('may be none', () => {
    expect(toEndOfDay('')).toBeNull();
    expect(toDateInputValue(null)).toBe('');
  });

  it('that is no day is left to the server', () => {
    expect(toEndOfDay('2027-99-99')).toBe('2027-99-99');
  });
});
