import { getExpiry, getExpiryTone } from './expiry';

const local = (day: number, hour = 12, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();
const now = new Date(2026, 10, 21, 15, 30).getTime();

describe('getExpiry', () => {
  it.each([
    [null, { kind: 'never' }, 'neutral'],
    [local(1), { kind: 'expired' }, 'danger'],
    [local(21, 15, 30), { kind: 'expired' }, 'danger'],
    [local(21, 15, 31), { kind: 'today' }, 'danger'],
    [local(21, 23, 59), { kind: 'today' }, 'danger'],
    [local(22, 0, 1), { kind: 'tomorrow' }, 'danger'],
    [local(23), { kind: 'days', days: 2 }, 'danger'],
    [local(24), { kind: 'days', days: 3 }, 'danger'],
    [local(25), { kind: 'days', days: 4 }, 'accent'],
    [local(28), { kind: 'days', days: 7 }, 'accent'],
    [local(29), { kind: 'days', days: 8 }, 'neutral'],
  ])('returns the expiry and tone for %s', (expiresAt, expiry, tone) => {
    expect(getExpiry(expiresAt, now)).toEqual(expiry);
    expect(getExpiryTone(getExpiry(expiresAt, now))).toBe(tone);
  });
});
