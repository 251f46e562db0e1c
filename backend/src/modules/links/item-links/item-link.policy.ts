import { MIB } from '../../../platform/text/byte-units.js';
import { isExpired, isUsedUp, type LinkUsageState } from '../link.policy.js';

/** What decides whom a link to a file or folder admits. */
export interface ItemLinkTerms extends LinkUsageState {
  readonly needsEmail: boolean;
  /** The folder whose file request the link admits guests to; null if they only read. */
  readonly requestFolderId: number | null;
}

/**
 * Maximum size of a file that a guest sends, in bytes. Guests send files as forms, which start again from the beginning
 * when the connection breaks.
 */
const MAX_GUEST_FILE_BYTES = 500 * MIB;

/** @param requestBytes limit of the file request; null for none */
export const guestSizeLimit = (requestBytes: number | null): number =>
  Math.min(requestBytes ?? MAX_GUEST_FILE_BYTES, MAX_GUEST_FILE_BYTES);

/** Whether a link can be read at all. To everybody else it looks like an unknown one. */
export const isOpen = (link: Pick<ItemLinkTerms, 'isActive' | 'expiresAt'>, now: Date): boolean =>
  link.isActive && !isExpired(link, now);

/**
 * Whether somebody may enter an open link as a new guest. The stated address isn't verified, so that of an earlier guest
 * gives no place either once the link is used up.
 */
export const admitsNewGuests = (link: ItemLinkTerms, now: Date): boolean => isOpen(link, now) && !isUsedUp(link);

/**
 * Whether a link shows its content. Guests who entered before it accepted files enter again, because other browsers with
 * the same address may be the same guest.
 * @param guest who has entered, proven by the cookie; null for everybody else
 */
export function isAdmitted(
  link: ItemLinkTerms,
  guest: { readonly email: string | null; readonly canSend: boolean } | null,
  now: Date,
): boolean {
  if (!isOpen(link, now) || guest === null) return false;
  return (guest.email !== null || !link.needsEmail) && (guest.canSend || link.requestFolderId === null);
}
