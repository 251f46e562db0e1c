import { isExpired, isUsedUp, type LinkUsageState } from '../link.policy.js';

/** What decides whom a link to a file or folder admits. */
export interface ItemLinkTerms extends LinkUsageState {
  readonly needsEmail: boolean;
}

/** Whether a link can be read at all. To everybody else it looks like an unknown one. */
export const isOpen = (link: Pick<ItemLinkTerms, 'isActive' | 'expiresAt'>, now: Date): boolean =>
  link.isActive && !isExpired(link, now);

/**
 * Whether somebody may enter an open link as a new guest. The stated address isn't verified, so that of an earlier guest
 * gives no place either once the link is used up.
 */
export const admitsNewGuests = (link: ItemLinkTerms, now: Date): boolean => isOpen(link, now) && !isUsedUp(link);

/**
 * Whether a link shows its content.
 * @param guest who has entered, proven by the cookie; null for everybody else
 */
export function isAdmitted(link: ItemLinkTerms, guest: { readonly email: string | null } | null, now: Date): boolean {
  return isOpen(link, now) && guest !== null && (guest.email !== null || !link.needsEmail);
}
