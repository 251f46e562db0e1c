import { admitsNewGuests, isAdmitted, isOpen, type ItemLinkTerms } from './item-link.policy.js';

const now = new Date('2026-05-01T12:00:00Z');
const later = new Date('2026-05-01T12:00:00.001Z');
const guest = { email: null, canSend: false };
const known = { email: 'grace@example.com', canSend: false };
const sender = { email: 'grace@example.com', canSend: true };

describe('The policy of item links', () => {
  it.each<[Partial<ItemLinkTerms>, boolean, boolean, boolean, boolean, boolean]>([
    // changes, open, admits new guests, shows its content to a guest, to one with an address, to one who can send files
    [{}, true, true, true, true, true],
    [{ expiresAt: null }, true, true, true, true, true],
    [{ expiresAt: now }, false, false, false, false, false],
    [{ isActive: false }, false, false, false, false, false],
    [{ maxUses: 7 }, true, false, true, true, true],
    [{ maxUses: 8 }, true, true, true, true, true],
    [{ needsEmail: true }, true, true, false, true, true],
    [{ needsEmail: true, requestFolderId: 3 }, true, true, false, false, true],
    [{ needsEmail: true, expiresAt: now }, false, false, false, false, false],
  ])('decides for %j', (changes, open, admitting, shown, shownToKnown, shownToSender) => {
    const unlimited = { expiresAt: later, maxUses: null, currentUses: 7, isActive: true };
    const link = { ...unlimited, needsEmail: false, requestFolderId: null, ...changes };
    expect([
      isOpen(link, now),
      admitsNewGuests(link, now),
      isAdmitted(link, guest, now),
      isAdmitted(link, known, now),
      isAdmitted(link, sender, now),
      isAdmitted(link, null, now),
    ]).toEqual([open, admitting, shown, shownToKnown, shownToSender, false]);
  });
});
