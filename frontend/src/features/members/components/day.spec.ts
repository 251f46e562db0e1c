import { lastMomentOf, toDay } from './day';

describe('the last day of a membership', () => {
  it('lasts until its end in the viewer’s calendar', () => {
    const end = lastMomentOf('2027-03-01')!;
    expect(toDay(end)).toBe('2027-03-01');
    expect(toDay(new Date(Date.parse(end) + 1).toISOString())).toBe('2027-03-02');
  });

  it('may be none', () => {
    expect(lastMomentOf('')).toBeNull();
    expect(toDay(null)).toBe('');
  });

  it('that is no day is left to the server', () => {
    expect(lastMomentOf('2027-99-99')).toBe('2027-99-99');
  });
});
