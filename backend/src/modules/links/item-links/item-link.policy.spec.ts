import { admitsNewGuests, isAdmitted, isOpen, type ItemLinkTerms } from './item-link.policy.js';

const now = new Date('2026-05-01T12:00:00Z');
const later = new Date('2026-05-01T12:00:00.001Z');
const guest = { email: null };
const known = { email: 'grace@example.com' };

describe('The policy of item links', () => {
  it.each<[Partial<ItemLinkTerms>, boolean, boolean, boolean, boolean]>([
    // changes, open, admits new guests, shows its content to a guest, to one with an address
    [{}, true, true, true, true],
    [{ expiresAt: null }, true, true, true, true],
    [{ expiresAt: now }, false, false, false, false],
    [{ isActive: false }, false, false, false, false],
    [{ maxUses: 7 }, true, false, true, true],
    [{ maxUses: 8 }, true, true, true, true],
    [{ needsEmail: true }, true, true, false, true],
    [{ needsEmail: true, expiresAt: now }, false, false, false, false],
  ])('decides for %j', (changes, open, admitting, shown, shownToKnown) => {
    const link = { expiresAt: later, maxUses: null, currentUses: 7, isActive: true, needsEmail: false, ...changes };
    expect([
      isOpen(link, now),
      admitsNewGuests(link, now),
      isAdmitted(link, guest, now),
      isAdmitted(link, known, now),
      isAdmitted(link, null, now),
    ]).toEqual([open, admitting, shown, shownToKnown, false]);
  });
});
