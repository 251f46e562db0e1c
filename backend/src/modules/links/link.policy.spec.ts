import { linkState, getRejectionCode, type LinkUsageState } from './link.policy.js';

const now = new Date('2026-05-01T12:00:00Z');
const earlier = new Date('2026-05-01T11:59:59Z');
const later = new Date('2026-05-01T12:00:01Z');
const link = (changes: Partial<LinkUsageState> = {}): LinkUsageState => ({
  expiresAt: later,
  maxUses: null,
  currentUses: 7,
  isActive: true,
  ...changes,
});

describe('linkState', () => {
  it.each([
    [{}, 'active'],
    [{ maxUses: 8 }, 'active'],
    [{ maxUses: 7 }, 'max_uses'],
    [{ expiresAt: now }, 'expired'],
    [{ isActive: false }, 'inactive'],
    [{ isActive: false, expiresAt: earlier, maxUses: 7 }, 'expired'],
    [{ isActive: false, maxUses: 7 }, 'max_uses'],
  ])('returns the result for %j: %s', (changes, state) => {
    expect(linkState(link(changes), now)).toBe(state);
  });
});

describe('getRejectionCode', () => {
  it.each([
    [{}, null],
    [{ maxUses: 8 }, null],
    [{ maxUses: 7 }, 'LINK_MAX_USES'],
    [{ expiresAt: now }, 'LINK_EXPIRED'],
    [{ isActive: false, expiresAt: earlier }, 'LINK_NOT_FOUND'],
  ])('returns the result for %j: %s', (changes, code) => {
    expect(getRejectionCode(link(changes), now)).toBe(code);
  });

  it('uses the given time', () => {
    expect(getRejectionCode(link({ expiresAt: now }), earlier)).toBeNull();
  });
});
